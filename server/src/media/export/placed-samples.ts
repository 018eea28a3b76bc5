/** The samples of one file in the order in which an export has them: what was encoded anew, and what is copied. */
import type { Cut } from './cut.ts';
import type { Recoded } from './recode.ts';
import type { FilePicture, Period, RecordedFile } from './recorded-file.ts';
import type { Sample } from './samples.ts';
import type { SourceTrack } from './tracks.ts';

export interface PlacedSample {
  readonly source: SourceTrack;
  readonly bytes: number;
  readonly key: boolean;
  /** In ticks of its source. */
  readonly durationTicks: number;
  /** When it is decoded and shown, on the timeline of the recorded stream. */
  readonly decodeSeconds: number;
  readonly shownSeconds: number;
  /** Where it lies in the recorded file, or its bytes. */
  readonly at: number | Buffer;
  /** Bytes before those; they count in `bytes`. */
  readonly before?: Buffer;
}

/** What was encoded of the two ends of the cut. */
export interface RecodedEnds {
  readonly head: Recoded | null;
  readonly tail: Recoded | null;
}

export function placedSamples(
  file: RecordedFile,
  { copied }: Cut<FilePicture>,
  { head, tail }: RecodedEnds,
  period: Period,
): PlacedSample[] {
  const sounds = file.soundsWithin(period);
  const from = copied[0]?.sample.offset ?? Infinity;
  const until = copied.at(-1)?.sample.offset ?? Infinity;
  const soundsOf = (isWanted: (sample: Sample) => boolean): PlacedSample[] =>
    sounds.filter(isWanted).map((sample) => placedSound(file, sample));
  const headSounds = soundsOf(({ offset }) => offset < from);
  const copiedSounds = soundsOf(({ offset }) => offset >= from && offset <= until);
  const tailSounds = soundsOf(({ offset }) => offset >= from && offset > until);
  return [
    ...merged(placedRecoded(file, head), headSounds),
    ...byOffset([...placedCopied(file, copied), ...copiedSounds]),
    ...merged(placedRecoded(file, tail), tailSounds),
  ];
}

/** They are decoded as evenly as they are shown. */
function placedRecoded(file: RecordedFile, recoded: Recoded | null): PlacedSample[] {
  if (!recoded) return [];
  const { video, delayTicks } = file;
  return recoded.pictures.map(({ data, key, shownTicks }, index) => {
    const next = recoded.pictures[index + 1]?.shownTicks;
    return {
      source: video,
      bytes: data.length,
      key,
      durationTicks: next === undefined ? typicalTicks(file) : next - shownTicks,
      decodeSeconds: (shownTicks - delayTicks) / video.timescale,
      shownSeconds: shownTicks / video.timescale,
      at: data,
    };
  });
}

const typicalTicks = ({ pictures }: RecordedFile): number =>
  pictures.at(-1)?.sample.durationTicks ?? 0;

/**
 * Where the pictures that were shown before the first one are no longer behind it, it takes their place, so that it is not
 * decoded before what was encoded of them.
 */
function placedCopied(file: RecordedFile, copied: readonly FilePicture[]): PlacedSample[] {
  const { video, delayTicks } = file;
  const [first, second] = copied;
  const leads = copied.some(({ shownTicks }) => shownTicks < (first?.shownTicks ?? 0));
  const latest = leads ? 0 : (second?.decodeTicks ?? Infinity) - 1;
  return copied.map((picture) => {
    const { sample, shownTicks, key } = picture;
    const ticks = Math.max(
      picture.decodeTicks,
      picture === first ? Math.min(latest, shownTicks - delayTicks) : 0,
    );
    return {
      source: video,
      bytes: sample.bytes,
      key,
      durationTicks: sample.durationTicks,
      decodeSeconds: ticks / video.timescale,
      shownSeconds: shownTicks / video.timescale,
      at: sample.offset,
    };
  });
}

function placedSound(file: RecordedFile, sample: Sample): PlacedSample {
  const source = file.sound!;
  const { bytes, key, durationTicks, offset } = sample;
  const seconds = sample.decodeTicks / source.timescale;
  const times = { decodeSeconds: seconds, shownSeconds: seconds };
  return { source, bytes, key, durationTicks, ...times, at: offset };
}

/** Sound stands before the pictures that are shown with it. */
function merged(
  pictures: readonly PlacedSample[],
  sounds: readonly PlacedSample[],
): PlacedSample[] {
  return [...sounds, ...pictures].toSorted((a, b) => a.shownSeconds - b.shownSeconds);
}

const byOffset = (samples: readonly PlacedSample[]): PlacedSample[] =>
  samples.toSorted((a, b) => Number(a.at) - Number(b.at));
