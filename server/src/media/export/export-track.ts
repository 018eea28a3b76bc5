/** One track of an export: its samples in the order of their bytes, and the tables that lead to them. */
import type { SourceTrack, TrackKind } from './tracks.ts';
import { describedWith } from './description.ts';
import { box, fullBox, u32, u64 } from '../mp4/boxes.ts';

/** A sample to add, in ticks of its source. */
export interface TrackSample {
  readonly source: Pick<SourceTrack, 'description' | 'timescale'>;
  readonly bytes: number;
  readonly durationTicks: number;
  readonly key: boolean;
}

export interface SampleTimes {
  readonly decodeTicks: number;
  readonly shownTicks: number;
}

interface Entry {
  readonly bytes: number;
  /** From the beginning of the export, in ticks of this track. */
  readonly decodeTicks: number;
  readonly shownLaterTicks: number;
  readonly key: boolean;
  readonly description: number;
  /** Bytes from the first byte of all samples. */
  readonly at: number;
}

interface Description {
  /** As it was recorded: one whole box. */
  readonly given: Buffer;
  /** Parameter sets of pictures that were encoded anew. */
  readonly sets: Buffer;
}

interface Chunk {
  readonly at: number;
  samples: number;
  bytes: number;
  readonly description: number;
}

/** A player reads whole chunks: this is about a second of a camera. */
const maxChunkBytes = 512 * 1024;

export class ExportTrack {
  readonly kind: TrackKind;
  readonly coding: string;
  readonly timescale: number;
  readonly #first: SourceTrack;
  readonly #descriptions: Description[] = [];
  readonly #entries: Entry[] = [];
  readonly #chunks: Chunk[] = [];
  #lastTicks = 0;

  constructor(source: SourceTrack) {
    this.#first = source;
    this.kind = source.kind;
    this.coding = source.coding;
    this.timescale = source.timescale;
  }

  get samples(): number {
    return this.#entries.length;
  }

  /** The earliest at which another sample can be decoded. */
  get nextTicks(): number {
    const last = this.#entries.at(-1);
    return last ? last.decodeTicks + 1 : 0;
  }

  /** When the last sample is over. */
  get endTicks(): number {
    const last = this.#entries.at(-1);
    return last ? last.decodeTicks + this.#lastTicks : 0;
  }

  /** When the last sample is no longer shown. */
  get shownEndTicks(): number {
    return this.endTicks + this.shownTicks;
  }

  /** When the first sample is shown. */
  get shownTicks(): number {
    return this.#entries[0]?.shownLaterTicks ?? 0;
  }

  /** Parameter sets beside those of the description of that source; with start codes. */
  setsBeside(source: Pick<SourceTrack, 'description'>): Buffer {
    return this.#descriptions[this.#numberOf(source) - 1]!.sets;
  }

  /** Adds parameter sets to the description of that source. */
  addSets(source: Pick<SourceTrack, 'description'>, sets: Buffer): void {
    const at = this.#numberOf(source) - 1;
    const { given, sets: known } = this.#descriptions[at]!;
    if (!known.includes(sets))
      this.#descriptions[at] = { given, sets: Buffer.concat([known, sets]) };
  }

  /**
   * `at`: where its bytes lie. `decodeTicks` and `shownTicks` in ticks of this track; it is decoded later than the
   * sample before.
   */
  add({ source, bytes, key, durationTicks }: TrackSample, times: SampleTimes, at: number): void {
    const description = this.#numberOf(source);
    const { decodeTicks, shownTicks } = times;
    const shownLaterTicks = Math.max(0, shownTicks - decodeTicks);
    this.#entries.push({ bytes, decodeTicks, shownLaterTicks, key, description, at });
    this.#lastTicks = Math.max(1, Math.round((durationTicks * this.timescale) / source.timescale));
    const chunk = this.#chunks.at(-1);
    const goesOn =
      chunk?.description === description &&
      chunk.at + chunk.bytes === at &&
      chunk.bytes + bytes <= maxChunkBytes;
    if (goesOn) {
      chunk.samples += 1;
      chunk.bytes += bytes;
    } else this.#chunks.push({ at, samples: 1, bytes, description });
  }

  /**
   * `fromTicks`: what is decoded before is not shown. `dataAt`: where the first byte of all samples will be.
   * `movieScale`: ticks a second of the export as a whole.
   */
  trak(id: number, fromTicks: number, movieScale: number, dataAt: number): Buffer {
    // Tables count from the first sample, which sound may have later than pictures.
    const origin = this.#entries[0]?.decodeTicks ?? 0;
    const inMovie = (ticks: number): number => Math.round((ticks / this.timescale) * movieScale);
    const lateTicks = Math.max(0, origin - fromTicks);
    const shown = inMovie(Math.max(0, this.shownEndTicks - fromTicks));
    const begin = Math.max(0, fromTicks - origin);
    const nothing = lateTicks > 0 ? [[u64(inMovie(lateTicks)), u32(-1, -1)]] : [];
    const media = [u64(shown - inMovie(lateTicks)), u64(begin)];
    const edits = [...nothing, media].flatMap((edit) => [...edit, u32(0x10000)]);
    const elst = fullBox('elst', 1, 0, u32(nothing.length + 1), ...edits);
    // 0x55c4 is the language 'und', undetermined.
    const mdhd = fullBox(
      'mdhd',
      1,
      0,
      u64(0),
      u64(0),
      u32(this.timescale),
      u64(this.endTicks - origin),
      u32(0x55c40000),
    );
    const minf = box('minf', ...this.#first.media, this.#stbl(dataAt));
    const mdia = box('mdia', mdhd, this.#first.hdlr, minf);
    return box('trak', this.#tkhd(id, shown), box('edts', elst), mdia);
  }

  #tkhd(id: number, duration: number): Buffer {
    const given = this.#first.tkhd;
    const isLong = given[8] === 1;
    // What follows the duration is copied: the matrix that turns the picture, and its size.
    const rest = given.subarray(isLong ? 44 : 32);
    const enabled = 0x3;
    return fullBox('tkhd', 1, enabled, u64(0), u64(0), u32(id, 0), u64(duration), rest);
  }

  #stbl(dataAt: number): Buffer {
    const entries = this.#entries;
    const descriptions = this.#descriptions.map(({ given, sets }) => describedWith(given, sets));
    const isAllKey = entries.every(({ key }) => key);
    const isInOrder = entries.every(({ shownLaterTicks }) => shownLaterTicks === 0);
    const keys = entries.flatMap(({ key }, index) => (key ? [index + 1] : []));
    return box(
      'stbl',
      fullBox('stsd', 0, 0, u32(descriptions.length), ...descriptions),
      runs('stts', 0, this.#durations()),
      ...(isInOrder
        ? []
        : [
            runs(
              'ctts',
              1,
              entries.map(({ shownLaterTicks }) => shownLaterTicks),
            ),
          ]),
      ...(isAllKey ? [] : [fullBox('stss', 0, 0, u32(keys.length, ...keys))]),
      this.#stsc(),
      fullBox('stsz', 0, 0, u32(0, entries.length, ...entries.map(({ bytes }) => bytes))),
      fullBox('co64', 0, 0, u32(this.#chunks.length), this.#offsets(dataAt)),
    );
  }

  /** The time until the next sample; for the last sample its own duration. */
  #durations(): number[] {
    return this.#entries.map(({ decodeTicks }, index) => {
      const next = this.#entries[index + 1];
      return next ? next.decodeTicks - decodeTicks : this.#lastTicks;
    });
  }

  #stsc(): Buffer {
    const changes = this.#chunks.flatMap(({ samples, description }, index) => {
      const before = this.#chunks[index - 1];
      const isSame = before?.samples === samples && before.description === description;
      return isSame ? [] : [index + 1, samples, description];
    });
    return fullBox('stsc', 0, 0, u32(changes.length / 3, ...changes));
  }

  #offsets(dataAt: number): Buffer {
    const offsets = Buffer.alloc(this.#chunks.length * 8);
    for (const [index, { at }] of this.#chunks.entries()) {
      offsets.writeBigUInt64BE(BigInt(dataAt + at), index * 8);
    }
    return offsets;
  }

  /** The number of the description, from 1. Streams that begin anew mostly have the same description. */
  #numberOf({ description }: Pick<SourceTrack, 'description'>): number {
    const known = this.#descriptions.findIndex(({ given }) => given.equals(description));
    if (known >= 0) return known + 1;
    return this.#descriptions.push({ given: description, sets: Buffer.alloc(0) });
  }
}

/** A table of equal values that follow one another, as `stts` and `ctts` are. */
function runs(kind: string, version: number, values: readonly number[]): Buffer {
  const pairs: [count: number, value: number][] = [];
  for (const value of values) {
    const last = pairs.at(-1);
    if (last?.[1] === value) last[0] += 1;
    else pairs.push([1, value]);
  }
  return fullBox(kind, version, 0, u32(pairs.length, ...pairs.flat()));
}
