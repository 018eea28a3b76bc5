/**
 * Plans an export: which bytes of recorded files make one ordinary MP4 file of a time range, and the tables that lead
 * to them. Files that follow one another continue with their own times; what is missing between two is left out, and
 * the pieces say where. Bytes are copied, never encoded: decoding begins at the key frame before the first second,
 * showing at that second.
 */
import { ExportTrack } from './export-track.ts';
import { samplesOf, type Sample } from './samples.ts';
import { tracksOf, type SourceTrack } from './tracks.ts';
import { seamMs } from '../protocol/seam.ts';
import type { SourceFile, Piece } from '../protocol/worker-messages.ts';
import { box, fullBox, u32, u64 } from '../mp4/boxes.ts';

/** Bytes of one file, in the order in which they are copied. */
export interface FileRanges {
  readonly file: string;
  readonly ranges: readonly (readonly [offset: number, bytes: number])[];
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

/** Seconds from the epoch of QuickTime, 1904, to that of Unix. */
const quickTimeEpoch = 2_082_844_800;

interface Piecing {
  readonly stream: string;
  readonly tracks: ReadonlyMap<number, SourceTrack>;
  /** Seconds to add to a time of the stream to have that of the export. */
  readonly shiftSeconds: number;
}

export class ExportPlan {
  readonly #fromMs: number;
  readonly #untilMs: number;
  readonly #tracks = new Map<string, ExportTrack>();
  readonly #ranges: FileRanges[] = [];
  readonly #pieces: { fromMs: number; untilMs: number; readonly atSeconds: number }[] = [];
  #piecing: Piecing | null = null;
  #dataBytes = 0;
  /** How long after the beginning of the first picture showing begins. */
  #skipSeconds = 0;

  constructor(fromMs: number, untilMs: number) {
    this.#fromMs = fromMs;
    this.#untilMs = untilMs;
  }

  get ranges(): readonly FileRanges[] {
    return this.#ranges;
  }

  get dataBytes(): number {
    return this.#dataBytes;
  }

  get pictures(): number {
    return this.#tracks.get('video')?.samples ?? 0;
  }

  get seconds(): number {
    const video = this.#tracks.get('video');
    return video ? (video.shownEndTicks - this.#fromTicks(video)) / video.timescale : 0;
  }

  /** `atSeconds` counts the export as it is shown. */
  get pieces(): readonly Piece[] {
    return this.#pieces.map((piece, index) => ({
      ...piece,
      atSeconds: index === 0 ? 0 : piece.atSeconds - this.#skipSeconds,
    }));
  }

  /** Adds the next file. Throws ExportFault. */
  add(source: SourceFile, data: Buffer): void {
    const tracks = new Map(tracksOf(data).map((track) => [track.id, track]));
    const samples = samplesOf(data, source.headBytes);
    const first = samples.find(({ trackId }) => tracks.get(trackId)?.kind === 'video');
    if (!first) return;
    const zero = secondsOf(first, tracks);
    const wantedSamples = this.#takenOf(samples, tracks, source, zero);
    const [begin] = wantedSamples;
    if (!begin) return;
    const beginAtMs = source.startedAtMs + (secondsOf(begin, tracks) - zero) * 1_000;
    this.#goOn(source, tracks, secondsOf(begin, tracks), beginAtMs);
    const ranges: [number, number][] = [];
    for (const sample of wantedSamples) if (this.#put(sample)) append(ranges, sample);
    if (ranges.length > 0) this.#ranges.push({ file: source.file, ranges });
    this.#pieces.at(-1)!.untilMs = Math.min(source.endedAtMs, this.#untilMs);
  }

  /** The bytes before those of the samples. Throws ExportFault when there are no samples. */
  head(): Buffer {
    const video = this.#tracks.get('video');
    if (!video) throw new ExportFault('nothing_recorded');
    const ftyp = box('ftyp', Buffer.from('isom'), u32(0x200), Buffer.from('isomiso2mp41'));
    const mdatHead = Buffer.concat([u32(1), Buffer.from('mdat'), u64(16 + this.#dataBytes)]);
    // Its length does not depend on where the bytes will be.
    const length = ftyp.length + this.#moov(video, 0).length + mdatHead.length;
    return Buffer.concat([ftyp, this.#moov(video, length), mdatHead]);
  }

  /** The samples to copy: from the last key frame before the first second, up to the last second. */
  #takenOf(
    samples: readonly Sample[],
    tracks: ReadonlyMap<number, SourceTrack>,
    { startedAtMs }: SourceFile,
    zero: number,
  ): Sample[] {
    const atMs = (sample: Sample): number =>
      startedAtMs + (secondsOf(sample, tracks) - zero) * 1_000;
    const isVideo = ({ trackId }: Sample): boolean => tracks.get(trackId)?.kind === 'video';
    const keys = samples.filter((sample) => sample.key && isVideo(sample));
    const key = keys.findLast((one) => atMs(one) <= this.#fromMs) ?? keys[0];
    if (!key) return [];
    if (this.#pieces.length === 0) {
      this.#skipSeconds = Math.max(0, (this.#fromMs - atMs(key)) / 1_000);
    }
    const sinceSeconds = this.#pieces.length === 0 ? secondsOf(key, tracks) : -Infinity;
    const wantedSamples = samples.filter(
      (sample) =>
        tracks.has(sample.trackId) &&
        secondsOf(sample, tracks) >= sinceSeconds &&
        atMs(sample) < this.#untilMs,
    );
    // An export begins with a picture.
    const begun = wantedSamples.slice(Math.max(0, wantedSamples.findIndex(isVideo)));
    return this.#follows(startedAtMs) ? begun : withoutLeading(begun, tracks);
  }

  /** Whether a file that begins then continues the last piece. */
  #follows(startedAtMs: number): boolean {
    const piece = this.#pieces.at(-1);
    return piece !== undefined && startedAtMs - piece.untilMs <= seamMs;
  }

  /** Continues the last piece, or begins another one after it. */
  #goOn(
    { stream, startedAtMs }: SourceFile,
    tracks: ReadonlyMap<number, SourceTrack>,
    beginSeconds: number,
    beginAtMs: number,
  ): void {
    const follows = this.#follows(startedAtMs);
    if (!follows) {
      const fromMs = Math.max(Math.round(beginAtMs), this.#fromMs);
      this.#pieces.push({ fromMs, untilMs: fromMs, atSeconds: this.#endSeconds() });
    }
    if (follows && this.#piecing?.stream === stream) {
      this.#piecing = { ...this.#piecing, tracks };
    } else {
      const shiftSeconds = this.#endSeconds() - beginSeconds;
      this.#piecing = { stream, tracks, shiftSeconds };
    }
  }

  /** Returns false for a sample without a place: sound from before the pictures of its piece. */
  #put(sample: Sample): boolean {
    const { tracks, shiftSeconds } = this.#piecing!;
    const source = tracks.get(sample.trackId)!;
    const track = this.#trackOf(source);
    const seconds = sample.decodeTicks / source.timescale + shiftSeconds;
    const ticks = Math.round(seconds * track.timescale);
    // Rounding may say one tick less.
    if (source.kind === 'sound' && ticks < track.endTicks - 1) return false;
    track.add(source, sample, Math.max(ticks, track.nextTicks), this.#dataBytes);
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

  /** Pictures may be shown later than they are decoded; sound begins with the first that is shown. */
  #fromTicks(track: ExportTrack): number {
    const video = this.#tracks.get('video');
    const shownSeconds = video ? video.shownTicks / video.timescale : 0;
    return Math.round((shownSeconds + this.#skipSeconds) * track.timescale);
  }

  #moov(video: ExportTrack, dataAt: number): Buffer {
    const scale = video.timescale;
    const tracks = [...this.#tracks.values()];
    const shown = tracks.map(
      (track) => ((track.shownEndTicks - this.#fromTicks(track)) / track.timescale) * scale,
    );
    const made = Math.floor(this.#fromMs / 1_000) + quickTimeEpoch;
    const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
    const mvhd = fullBox(
      'mvhd',
      1,
      0,
      u64(made),
      u64(made),
      u32(scale),
      u64(Math.max(0, Math.round(Math.max(...shown)))),
      u32(0x10000, 0x01000000, 0, 0, ...matrix, 0, 0, 0, 0, 0, 0, tracks.length + 1),
    );
    const traks = tracks.map((track, index) =>
      track.trak(index + 1, this.#fromTicks(track), scale, dataAt),
    );
    return box('moov', mvhd, ...traks);
  }
}

const secondsOf = (
  { trackId, decodeTicks }: Sample,
  tracks: ReadonlyMap<number, SourceTrack>,
): number => decodeTicks / (tracks.get(trackId)?.timescale ?? 1);

const shownAt = ({ decodeTicks, shownLaterTicks }: Sample): number => decodeTicks + shownLaterTicks;

/**
 * Leaves out H.264 pictures that follow the first key picture and refer to what was before it. H.265 marks such
 * pictures, and players leave them out themselves.
 */
function withoutLeading(
  samples: readonly Sample[],
  tracks: ReadonlyMap<number, SourceTrack>,
): Sample[] {
  const [key] = samples;
  if (!key || tracks.get(key.trackId)?.coding !== 'avc1') return [...samples];
  const pictures = samples.filter(({ trackId }) => trackId === key.trackId);
  const next = pictures.findIndex((one, index) => index > 0 && shownAt(one) >= shownAt(key));
  const leading = new Set(pictures.slice(1, Math.max(1, next)));
  return samples.filter((sample) => !leading.has(sample));
}

function append(ranges: [number, number][], { offset, bytes }: Sample): void {
  const last = ranges.at(-1);
  if (last && last[0] + last[1] === offset) last[1] += bytes;
  else ranges.push([offset, bytes]);
}
