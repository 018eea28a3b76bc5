/** One recorded file as an export needs it: its pictures and its sound, and when each of them was. */
import { isIdr } from '../codec/h264.ts';
import type { SourceFile } from '../protocol/worker-messages.ts';
import type { Side, TimedPicture } from './cut.ts';
import { samplesOf, type Sample } from './samples.ts';
import { tracksOf, type SourceTrack } from './tracks.ts';

/** A picture and where its bytes are: the file itself is not kept. */
export interface FilePicture extends TimedPicture {
  /** Absolute path. */
  readonly file: string;
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

  private constructor(
    source: SourceFile,
    { video, sound }: { video: SourceTrack; sound: SourceTrack | null },
    data: Buffer,
  ) {
    const samples = samplesOf(data, source.headBytes);
    this.source = source;
    this.video = video;
    this.sound = sound;
    this.pictures = samples
      .filter(({ trackId }) => trackId === video.id)
      .map((sample) => pictureOf(sample, data, { file: source.file, coding: video.coding }));
    this.sounds = samples.filter(({ trackId }) => trackId === this.sound?.id);
    this.#firstTicks = this.pictures.reduce(
      (least, one) => Math.min(least, one.shownTicks),
      Infinity,
    );
  }

  /** Null for a file without pictures. */
  static read(source: SourceFile, data: Buffer): RecordedFile | null {
    // A copy: what is read of it would keep the whole file in memory.
    const tracks = tracksOf(Buffer.from(data.subarray(0, source.headBytes)));
    const video = tracks.find(({ kind }) => kind === 'video');
    const sound = tracks.find(({ kind }) => kind === 'sound') ?? null;
    const file = video && new RecordedFile(source, { video, sound }, data);
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

  sideOf({ shownTicks }: Pick<TimedPicture, 'shownTicks'>, period: Period): Side {
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

function pictureOf(
  sample: Sample,
  data: Buffer,
  { file, coding }: { file: string; coding: string },
): FilePicture {
  const { decodeTicks, shownLaterTicks, key, offset, bytes } = sample;
  // What is encoded of H.265 ends with a NAL unit that resets decoders.
  const resets = key && (coding !== 'avc1' || isIdr(data.subarray(offset, offset + bytes), true));
  return { file, sample, decodeTicks, shownTicks: decodeTicks + shownLaterTicks, key, resets };
}
