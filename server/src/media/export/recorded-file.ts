/** One recorded file as an export needs it: its pictures and its sound, and when each of them was. */
import { isIdr } from '../codec/h264.ts';
import type { SourceFile } from '../protocol/worker-messages.ts';
import type { Side, TimedPicture } from './cut.ts';
import { Units } from '../mp4/units.ts';
import { byOffset, samplesOfUnit, type Sample } from './samples.ts';
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

interface Tracks {
  readonly video: SourceTrack;
  readonly sound: SourceTrack | null;
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
    { video, sound }: Tracks,
    { pictures, sounds }: Pick<RecordedFile, 'pictures' | 'sounds'>,
  ) {
    this.source = source;
    this.video = video;
    this.sound = sound;
    this.pictures = pictures;
    this.sounds = sounds;
    this.#firstTicks = pictures.reduce((least, one) => Math.min(least, one.shownTicks), Infinity);
  }

  /** `pieces`: all its bytes, of which no more than a picture and a piece are kept. Null for a file without pictures. */
  static async read(
    source: SourceFile,
    pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  ): Promise<RecordedFile | null> {
    const scan = new FileScan(source);
    for await (const piece of pieces) scan.add(piece);
    const { tracks, pictures, sounds } = scan;
    return tracks && pictures.length > 0
      ? new RecordedFile(source, tracks, {
          pictures: pictures.toSorted((a, b) => byOffset(a.sample, b.sample)),
          sounds: sounds.toSorted(byOffset),
        })
      : null;
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

/** Reads the tables of a file piece by piece. */
class FileScan {
  readonly #source: SourceFile;
  readonly #units = new Units();
  readonly #head: Buffer[] = [];
  #at = 0;
  /** Null before the first fragment, and in a file without video. */
  tracks: Tracks | null = null;
  readonly pictures: FilePicture[] = [];
  readonly sounds: Sample[] = [];

  constructor(source: SourceFile) {
    this.#source = source;
  }

  add(piece: Buffer): void {
    this.#units.add(piece);
    for (let unit = this.#units.next(); unit; unit = this.#units.next()) {
      if (this.#at < this.#source.headBytes) this.#addHead(unit);
      else this.#addSamples(unit);
      this.#at += unit.length;
    }
  }

  #addHead(box: Buffer): void {
    // A copy: what is read of it would keep its piece in memory.
    this.#head.push(Buffer.from(box));
    if (this.#at + box.length < this.#source.headBytes) return;
    const tracks = tracksOf(Buffer.concat(this.#head));
    const video = tracks.find(({ kind }) => kind === 'video');
    const sound = tracks.find(({ kind }) => kind === 'sound') ?? null;
    this.tracks = video ? { video, sound } : null;
  }

  #addSamples(unit: Buffer): void {
    const { file } = this.#source;
    for (const sample of samplesOfUnit(unit, this.#at)) {
      const { trackId, bytes } = sample;
      if (trackId === this.tracks?.video.id) {
        const begin = sample.offset - this.#at;
        const data = unit.subarray(begin, begin + bytes);
        this.pictures.push(pictureOf(sample, data, { file, coding: this.tracks.video.coding }));
      } else if (trackId === this.tracks?.sound?.id) this.sounds.push(sample);
    }
  }
}

/** `data`: the bytes of the sample. */
function pictureOf(
  sample: Sample,
  data: Buffer,
  { file, coding }: { file: string; coding: string },
): FilePicture {
  const { decodeTicks, shownLaterTicks, key } = sample;
  // What is encoded of H.265 ends with a NAL unit that resets decoders.
  const resets = key && (coding !== 'avc1' || isIdr(data, true));
  return { file, sample, decodeTicks, shownTicks: decodeTicks + shownLaterTicks, key, resets };
}
