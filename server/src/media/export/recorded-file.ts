/** One recorded file as an export needs it: its pictures and its sound, and when each of them was. */
import { isIdr } from '../codec/h264.ts';
import type { SourceFile } from '../protocol/worker-messages.ts';
import type { Side } from './cut.ts';
import type { RecordedPicture } from './recode.ts';
import { samplesOf, type Sample } from './samples.ts';
import { tracksOf, type SourceTrack } from './tracks.ts';

/** A picture and where its bytes are. */
export interface FilePicture extends RecordedPicture {
  readonly sample: Sample;
}

export interface Period {
  readonly fromMs: number;
  readonly untilMs: number;
}

export class RecordedFile {
  readonly source: SourceFile;
  readonly video: SourceTrack;
  readonly sound: SourceTrack | null;
  /** In the order of decoding. */
  readonly pictures: readonly FilePicture[];
  readonly sounds: readonly Sample[];
  /** When the first picture to be shown is shown: that is when the file begins. */
  readonly #firstTicks: number;

  private constructor(source: SourceFile, video: SourceTrack, data: Buffer) {
    const samples = samplesOf(data, source.headBytes);
    this.source = source;
    this.video = video;
    this.sound = tracksOf(data).find(({ kind }) => kind === 'sound') ?? null;
    this.pictures = samples
      .filter(({ trackId }) => trackId === video.id)
      .map((sample) => pictureOf(sample, data, video));
    this.sounds = samples.filter(({ trackId }) => trackId === this.sound?.id);
    this.#firstTicks = this.pictures.reduce(
      (least, one) => Math.min(least, one.shownTicks),
      Infinity,
    );
  }

  /** Null for a file without pictures. */
  static read(source: SourceFile, data: Buffer): RecordedFile | null {
    const video = tracksOf(data).find(({ kind }) => kind === 'video');
    const file = video && new RecordedFile(source, video, data);
    return file && file.pictures.length > 0 ? file : null;
  }

  /** How much later a picture is shown than decoded that waits for no other. */
  get delayTicks(): number {
    return this.#firstTicks - (this.pictures[0]?.decodeTicks ?? 0);
  }

  /** When that was, in whole milliseconds, as all that is written down of a recording. */
  wallMsOf(shownTicks: number, { timescale } = this.video): number {
    const seconds = shownTicks / timescale - this.#firstTicks / this.video.timescale;
    return this.source.startedAtMs + Math.round(seconds * 1_000);
  }

  sideOf({ shownTicks }: Pick<RecordedPicture, 'shownTicks'>, period: Period): Side {
    const wallMs = this.wallMsOf(shownTicks);
    if (wallMs < period.fromMs) return 'before';
    return wallMs < period.untilMs ? 'within' : 'after';
  }

  /** The sound that lies in the period as a whole: it is cut between two frames. */
  soundsWithin({ fromMs, untilMs }: Period): Sample[] {
    const track = this.sound;
    if (!track) return [];
    return this.sounds.filter(({ decodeTicks, durationTicks }) => {
      const beginMs = this.wallMsOf(decodeTicks, track);
      return beginMs >= fromMs && this.wallMsOf(decodeTicks + durationTicks, track) <= untilMs;
    });
  }
}

function pictureOf(sample: Sample, file: Buffer, { coding }: SourceTrack): FilePicture {
  const { decodeTicks, shownLaterTicks, key, offset, bytes } = sample;
  const data = file.subarray(offset, offset + bytes);
  // What is encoded of H.265 ends with a NAL unit that resets decoders.
  const resets = key && (coding !== 'avc1' || isIdr(data, true));
  return { sample, decodeTicks, shownTicks: decodeTicks + shownLaterTicks, key, resets, data };
}
