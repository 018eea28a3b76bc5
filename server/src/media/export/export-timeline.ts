/**
 * The timeline of an export: its tracks, and the pieces of recorded time that lie on it one after another. Files that
 * follow one another continue with their own times; what is missing between two is left out, and the pieces say where.
 */
import { box, u32, u64 } from '../mp4/boxes.ts';
import { seamMs } from '../protocol/seam.ts';
import type { Piece, SourceFile } from '../protocol/worker-messages.ts';
import { appendBytes, type ExportBytes, type FileBytes } from './export-bytes.ts';
import { ExportFault } from './export-fault.ts';
import { ExportTrack } from './export-track.ts';
import { movieBox } from './movie-box.ts';
import type { PlacedSample } from './placed-samples.ts';
import type { Period, RecordedFile } from './recorded-file.ts';
import type { SourceTrack } from './tracks.ts';

interface Piecing {
  readonly stream: string;
  /** Seconds to add to a time of the stream to have that of the export. */
  readonly shiftSeconds: number;
  /** In the stream: sound from before has no pictures. */
  readonly beginSeconds: number;
}

export class ExportTimeline {
  readonly #period: Period;
  readonly #tracks = new Map<string, ExportTrack>();
  readonly #bytes: FileBytes[] = [];
  readonly #pieces: { fromMs: number; untilMs: number; readonly atSeconds: number }[] = [];
  #piecing: Piecing | null = null;
  #dataBytes = 0;

  constructor(period: Period) {
    this.#period = period;
  }

  get bytes(): readonly FileBytes[] {
    return this.#bytes;
  }

  /** The size of all samples together. */
  get dataBytes(): number {
    return this.#dataBytes;
  }

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  get pictures(): number {
    return this.#video?.samples ?? 0;
  }

  get seconds(): number {
    const video = this.#video;
    return video ? (video.shownEndTicks - video.shownTicks) / video.timescale : 0;
  }

  /** Whether a file that begins then continues the last piece. */
  isFollowedBy({ startedAtMs }: SourceFile): boolean {
    const piece = this.#pieces.at(-1);
    return piece !== undefined && startedAtMs - piece.untilMs <= seamMs;
  }

  /** Throws ExportFault for another coding than before. */
  trackOf(source: SourceTrack): ExportTrack {
    const known = this.#tracks.get(source.kind);
    if (known && known.coding !== source.coding) throw new ExportFault('codec_changed');
    const track = known ?? new ExportTrack(source);
    this.#tracks.set(source.kind, track);
    return track;
  }

  /** Adds what comes of the next file, the first picture of which is `begin`. Throws ExportFault. */
  add(file: RecordedFile, begin: PlacedSample, samples: readonly PlacedSample[]): void {
    const { source } = file;
    this.#goOn(file, begin);
    const pieces: ExportBytes[] = [];
    for (const sample of samples) if (this.#put(sample)) appendBytes(pieces, sample);
    this.#bytes.push({ file: source.file, pieces });
    this.#pieces.at(-1)!.untilMs = Math.min(source.endedAtMs, this.#period.untilMs);
  }

  /** The bytes before those of the samples; null when there are no pictures. */
  head(): Buffer | null {
    const video = this.#video;
    if (!video || video.samples === 0) return null;
    const ftyp = box('ftyp', Buffer.from('isom'), u32(0x200), Buffer.from('isomiso2mp41'));
    const mdatHead = Buffer.concat([u32(1), Buffer.from('mdat'), u64(16 + this.#dataBytes)]);
    // Its length does not depend on where the bytes will be.
    const moov = (dataAt: number): Buffer =>
      movieBox([...this.#tracks.values()], video, { madeMs: this.#period.fromMs, dataAt });
    const length = ftyp.length + moov(0).length + mdatHead.length;
    return Buffer.concat([ftyp, moov(length), mdatHead]);
  }

  get #video(): ExportTrack | undefined {
    return this.#tracks.get('video');
  }

  /** Continues the last piece, or begins another one after it. */
  #goOn(file: RecordedFile, begin: PlacedSample): void {
    const { stream } = file.source;
    const follows = this.isFollowedBy(file.source);
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
    const track = this.trackOf(source);
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

  #endSeconds(): number {
    const video = this.#video;
    return video ? video.endTicks / video.timescale : 0;
  }
}
