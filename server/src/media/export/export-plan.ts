/**
 * Plans an export: which bytes of recorded files make one ordinary MP4 file of a time range, and the tables that lead
 * to them. Files that follow one another continue with their own times; what is missing between two is left out, and
 * the pieces say where. Nothing that was shown outside the period is in the export: bytes are copied from the first key
 * frame in it, and what comes before that is encoded anew (`cut.ts`).
 */
import { cutOf, type Cut, type Span } from './cut.ts';
import { closedBeginning } from './closed-beginning.ts';
import { setsBeforeCopied } from './description.ts';
import { ExportTrack } from './export-track.ts';
import { movieBox } from './movie-box.ts';
import { placedSamples, type PlacedSample } from './placed-samples.ts';
import { recode, type Recoded, type RecordedPicture } from './recode.ts';
import type { FilePicture, Period, RecordedFile } from './recorded-file.ts';
import type { SourceTrack } from './tracks.ts';
import { seamMs } from '../protocol/seam.ts';
import type { SourceFile, EncodedSpan, Piece } from '../protocol/worker-messages.ts';
import { box, u32, u64 } from '../mp4/boxes.ts';

/** A range of bytes of a file, or bytes that were encoded anew. */
export type ExportBytes = readonly [offset: number, bytes: number] | Buffer;

/** What comes of one file, in the order in which it is written. */
export interface FileBytes {
  readonly file: string;
  readonly pieces: readonly ExportBytes[];
}

/** Why an export cannot be made. */
export class ExportFault extends Error {
  override readonly name = 'ExportFault';
  readonly fault: 'codec_changed' | 'nothing_recorded' | 'file_changed' | 'unreadable';

  constructor(fault: ExportFault['fault']) {
    super(fault);
    this.fault = fault;
  }
}

interface Piecing {
  readonly stream: string;
  /** Seconds to add to a time of the stream to have that of the export. */
  readonly shiftSeconds: number;
  /** In the stream: sound from before has no pictures. */
  readonly beginSeconds: number;
}

/** The group of pictures with which the last file ended. */
interface LastGroup {
  readonly stream: string;
  readonly pictures: readonly FilePicture[];
  readonly isCopied: boolean;
}

/** Reads a recorded file, by its path. */
type ReadFile = (file: string) => Promise<Buffer>;

export class ExportPlan {
  readonly #period: Period;
  readonly #read: ReadFile;
  readonly #tracks = new Map<string, ExportTrack>();
  readonly #bytes: FileBytes[] = [];
  readonly #pieces: { fromMs: number; untilMs: number; readonly atSeconds: number }[] = [];
  readonly #encoded: EncodedSpan[] = [];
  readonly #leftOut: EncodedSpan[] = [];
  readonly #rewritten: EncodedSpan[] = [];
  #piecing: Piecing | null = null;
  #lastGroup: LastGroup | null = null;
  #dataBytes = 0;

  /** `read`: for the pictures that are encoded anew. */
  constructor(period: Period, read: ReadFile) {
    this.#period = period;
    this.#read = read;
  }

  get bytes(): readonly FileBytes[] {
    return this.#bytes;
  }

  get dataBytes(): number {
    return this.#dataBytes;
  }

  get pictures(): number {
    return this.#tracks.get('video')?.samples ?? 0;
  }

  get seconds(): number {
    const video = this.#tracks.get('video');
    return video ? (video.shownEndTicks - video.shownTicks) / video.timescale : 0;
  }

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  /** What was encoded anew, what would have had to be and cannot, and what was copied with other headers. */
  get spans(): {
    readonly encoded: readonly EncodedSpan[];
    readonly leftOut: readonly EncodedSpan[];
    readonly rewritten: readonly EncodedSpan[];
  } {
    return { encoded: this.#encoded, leftOut: this.#leftOut, rewritten: this.#rewritten };
  }

  /** Adds the next file. Throws ExportFault. */
  async add(file: RecordedFile): Promise<void> {
    let cut = this.#cutOf(file);
    if (this.#hasEncodedAlone && cut.copied[0]?.resets === false) {
      this.#startOver();
      cut = this.#cutOf(file);
    }
    const ends = {
      head: await this.#recoded(file, cut.head, cut.copied[0]),
      tail: await this.#recoded(file, cut.tail),
    };
    if (cut.lost.length > 0) this.#leftOut.push(spanOf(file, cut.lost, this.#period));
    const closed = await this.#closedBeginning(file, cut.copied);
    const samples = placedSamples(file, cut, ends, this.#period);
    const isBehindEncoded = ends.head !== null || this.#hasEncodedAlone;
    const first = samples.findIndex(({ at }) => at === cut.copied[0]?.sample.offset);
    const sets = isBehindEncoded ? setsBeforeCopied(file.video.description) : null;
    if (sets && samples[first]) samples[first] = withBefore(samples[first], sets);
    const begin = samples.find(({ source: { kind } }) => kind === 'video');
    if (begin) this.#addSamples(file, begin, samples.map(writtenBy(closed)));
    const isCopied = cut.copied.length > 0 && cut.copied.at(-1) === file.pictures.at(-1);
    this.#lastGroup = lastGroupOf(file, isCopied);
  }

  /** The copied pictures that get other headers, by where they lie in the file. */
  async #closedBeginning(
    file: RecordedFile,
    copied: readonly FilePicture[],
  ): Promise<ReadonlyMap<number, Buffer>> {
    const [key] = copied;
    const isContinued = this.#isContinued(file);
    if (!key?.key || key.resets || isContinued) return new Map();
    const closed = closedBeginning(file, key, await this.#read(file.source.file));
    const others = copied.filter(({ sample }) => closed.has(sample.offset));
    if (others.length > 0) this.#rewritten.push(spanOf(file, others, this.#period));
    return closed;
  }

  #addSamples(file: RecordedFile, begin: PlacedSample, samples: readonly PlacedSample[]): void {
    const { source } = file;
    this.#goOn(file, begin);
    const pieces: ExportBytes[] = [];
    for (const sample of samples) if (this.#put(sample)) append(pieces, sample);
    this.#bytes.push({ file: source.file, pieces });
    this.#pieces.at(-1)!.untilMs = Math.min(source.endedAtMs, this.#period.untilMs);
  }

  /** The bytes before those of the samples. Throws ExportFault when there are no samples. */
  head(): Buffer {
    const video = this.#tracks.get('video');
    if (!video || video.samples === 0) {
      throw new ExportFault(this.#leftOut.length > 0 ? 'unreadable' : 'nothing_recorded');
    }
    const ftyp = box('ftyp', Buffer.from('isom'), u32(0x200), Buffer.from('isomiso2mp41'));
    const mdatHead = Buffer.concat([u32(1), Buffer.from('mdat'), u64(16 + this.#dataBytes)]);
    // Its length does not depend on where the bytes will be.
    const moov = (dataAt: number): Buffer =>
      movieBox([...this.#tracks.values()], video, { madeMs: this.#period.fromMs, dataAt });
    const length = ftyp.length + moov(0).length + mdatHead.length;
    return Buffer.concat([ftyp, moov(length), mdatHead]);
  }

  #cutOf(file: RecordedFile): Cut<FilePicture> {
    return cutOf(file.pictures, (one) => file.sideOf(one, this.#period), {
      before: this.#before(file)?.pictures ?? [],
      isContinued: this.#isContinued(file),
    });
  }

  /** The group of pictures that ends where that file begins. */
  #before({ source }: RecordedFile): LastGroup | null {
    const last = this.#lastGroup;
    return this.#follows(source) && last?.stream === source.stream ? last : null;
  }

  /** Whether its pictures follow on some that were copied. */
  #isContinued(file: RecordedFile): boolean {
    return this.#before(file)?.isCopied === true;
  }

  /** `next`: what is copied behind it. Decoders that it does not reset show some of its group not at all. */
  async #recoded(
    file: RecordedFile,
    span: Span<FilePicture> | null,
    next?: FilePicture,
  ): Promise<Recoded | null> {
    if (!span) return null;
    const track = this.#trackOf(file.video);
    const recoded =
      next?.resets === false
        ? null
        : await recode(
            file.video.description,
            await this.#withData(span),
            track.setsBeside(file.video),
          );
    if (recoded) track.addSets(file.video, recoded.sets);
    const spans = recoded ? this.#encoded : this.#leftOut;
    spans.push(spanOf(file, span.shown, this.#period));
    return recoded;
  }

  async #withData({ decoded, shown }: Span<FilePicture>): Promise<Span<RecordedPicture>> {
    const files = new Map<string, Buffer>();
    const read: RecordedPicture[] = [];
    for (const picture of decoded) {
      const data = files.get(picture.file) ?? (await this.#read(picture.file));
      files.set(picture.file, data);
      const { offset, bytes } = picture.sample;
      read.push({ ...picture, data: data.subarray(offset, offset + bytes) });
    }
    return { decoded: read, shown: read.filter((_, at) => shown.includes(decoded[at]!)) };
  }

  /** Whether nothing was copied so far. */
  get #hasEncodedAlone(): boolean {
    return this.#pieces.length > 0 && this.#lastGroup?.isCopied === false;
  }

  /** Leaves out what was encoded, which cannot stand before what comes. */
  #startOver(): void {
    this.#leftOut.push(...this.#encoded.splice(0));
    this.#rewritten.length = 0;
    for (const list of [this.#bytes, this.#pieces]) list.length = 0;
    this.#tracks.clear();
    this.#dataBytes = 0;
    this.#piecing = null;
    this.#lastGroup = null;
  }

  /** Whether a file that begins then continues the last piece. */
  #follows({ startedAtMs }: SourceFile): boolean {
    const piece = this.#pieces.at(-1);
    return piece !== undefined && startedAtMs - piece.untilMs <= seamMs;
  }

  /** Continues the last piece, or begins another one after it. */
  #goOn(file: RecordedFile, begin: PlacedSample): void {
    const { stream } = file.source;
    const follows = this.#follows(file.source);
    if (!follows) {
      const fromMs = file.wallMsOf(Math.round(begin.shownSeconds * file.video.timescale));
      this.#pieces.push({ fromMs, untilMs: fromMs, atSeconds: this.#endSeconds() });
    }
    if (follows && this.#piecing?.stream === stream) return;
    const shiftSeconds = this.#endSeconds() - begin.decodeSeconds;
    this.#piecing = { stream, shiftSeconds, beginSeconds: begin.shownSeconds };
  }

  /** Returns false for a sample without a place: sound from before the pictures of its piece. */
  #put({ source, decodeSeconds, shownSeconds, ...sample }: PlacedSample): boolean {
    const { shiftSeconds, beginSeconds } = this.#piecing!;
    const track = this.#trackOf(source);
    const ticksOf = (seconds: number): number =>
      Math.round((seconds + shiftSeconds) * track.timescale);
    const ticks = ticksOf(decodeSeconds);
    if (source.kind === 'sound') {
      // Rounding may say one tick less.
      if (shownSeconds < beginSeconds || ticks < track.endTicks - 1) return false;
    }
    const decodeTicks = Math.max(ticks, track.nextTicks);
    const shownTicks = Math.max(ticksOf(shownSeconds), decodeTicks);
    track.add({ source, ...sample }, { decodeTicks, shownTicks }, this.#dataBytes);
    this.#dataBytes += sample.bytes;
    return true;
  }

  #trackOf(source: SourceTrack): ExportTrack {
    const known = this.#tracks.get(source.kind);
    if (known && known.coding !== source.coding) throw new ExportFault('codec_changed');
    const track = known ?? new ExportTrack(source);
    this.#tracks.set(source.kind, track);
    return track;
  }

  #endSeconds(): number {
    const video = this.#tracks.get('video');
    return video ? video.endTicks / video.timescale : 0;
  }
}

/** The group of pictures that ends where the next file begins. */
function lastGroupOf({ source: { stream }, pictures }: RecordedFile, isCopied: boolean): LastGroup {
  const key = pictures.findLastIndex((one) => one.key);
  return { stream, isCopied, pictures: pictures.slice(Math.max(0, key)) };
}

function spanOf(
  file: RecordedFile,
  shown: readonly FilePicture[],
  { untilMs }: Period,
): EncodedSpan {
  const [first, last] = [shown.toSorted(byTime)[0]!, shown.toSorted(byTime).at(-1)!];
  const endMs = file.wallMsOf(last.shownTicks + last.sample.durationTicks);
  return {
    fromMs: file.wallMsOf(first.shownTicks),
    untilMs: Math.min(endMs, untilMs),
    pictures: shown.length,
  };
}

const byTime = (a: FilePicture, b: FilePicture): number => a.shownTicks - b.shownTicks;

/** Puts those bytes in the place of pictures that would be copied. */
const writtenBy =
  (closed: ReadonlyMap<number, Buffer>) =>
  (sample: PlacedSample): PlacedSample => {
    const other = typeof sample.at === 'number' ? closed.get(sample.at) : undefined;
    return other ? { ...sample, at: other, bytes: other.length } : sample;
  };

const withBefore = (sample: PlacedSample, before: Buffer): PlacedSample => ({
  ...sample,
  before,
  bytes: before.length + sample.bytes,
});

function append(pieces: ExportBytes[], { at, before, bytes: all }: PlacedSample): void {
  if (before) pieces.push(before);
  const bytes = all - (before?.length ?? 0);
  if (typeof at !== 'number') {
    pieces.push(at);
    return;
  }
  const last = pieces.at(-1);
  if (last && !Buffer.isBuffer(last) && last[0] + last[1] === at) {
    pieces[pieces.length - 1] = [last[0], last[1] + bytes];
  } else pieces.push([at, bytes]);
}
