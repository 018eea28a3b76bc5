/** One track of an export: its samples in the order of their bytes, and the tables that lead to them. */
import type { Sample } from './samples.ts';
import type { SourceTrack, TrackKind } from './tracks.ts';
import { box, fullBox, u32, u64 } from '../mp4/boxes.ts';

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
  readonly #descriptions: Buffer[] = [];
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

  /** `at`: where its bytes lie; `decodeTicks` in ticks of this track, later than those of the sample before. */
  add(source: SourceTrack, sample: Sample, decodeTicks: number, at: number): void {
    const scale = this.timescale / source.timescale;
    const description = this.#descriptionOf(source.description);
    const { bytes, key } = sample;
    const shownLaterTicks = Math.round(sample.shownLaterTicks * scale);
    this.#entries.push({ bytes, decodeTicks, shownLaterTicks, key, description, at });
    this.#lastTicks = Math.max(1, Math.round(sample.durationTicks * scale));
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
    const isAllKey = entries.every(({ key }) => key);
    const isInOrder = entries.every(({ shownLaterTicks }) => shownLaterTicks === 0);
    const keys = entries.flatMap(({ key }, index) => (key ? [index + 1] : []));
    return box(
      'stbl',
      fullBox('stsd', 0, 0, u32(this.#descriptions.length), ...this.#descriptions),
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
  #descriptionOf(description: Buffer): number {
    const known = this.#descriptions.findIndex((one) => one.equals(description));
    return known >= 0 ? known + 1 : this.#descriptions.push(description);
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
