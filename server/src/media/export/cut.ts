/**
 * Decides where recorded pictures are cut for an export. What can be copied is copied; pictures that refer to one outside
 * the period cannot be, because it would have to come along. They are encoded anew: from the first second up to the next
 * key picture, and at the end those that refer to a picture shown later.
 */

/** A picture in the order of decoding. */
export interface TimedPicture {
  readonly decodeTicks: number;
  readonly shownTicks: number;
  /** Whether it can be decoded without any before it. */
  readonly key: boolean;
  /** Whether it is a key picture that makes decoders forget everything before it. */
  readonly resets: boolean;
}

/** Whether a picture is shown before the period, in it, or after it. */
export type Side = 'before' | 'within' | 'after';

/** Pictures to encode anew. */
export interface Span<Picture> {
  /** What has to be decoded, from a key picture on. */
  readonly decoded: readonly Picture[];
  /** The decoded pictures that the export has. */
  readonly shown: readonly Picture[];
}

export interface Cut<Picture> {
  readonly head: Span<Picture> | null;
  readonly copied: readonly Picture[];
  readonly tail: Span<Picture> | null;
  /** In the period, and nothing that they refer to is there. */
  readonly lost: readonly Picture[];
}

/**
 * `pictures`: those of one file, which begins with a key picture. `before`: the group of pictures that ends where the
 * file begins, in the same stream; empty when nothing does. `isContinued`: that group was copied.
 */
export function cutOf<Picture extends TimedPicture>(
  pictures: readonly Picture[],
  sideOf: (picture: Picture) => Side,
  { before, isContinued }: { before: readonly Picture[]; isContinued: boolean },
): Cut<Picture> {
  const decodable = [...before, ...pictures];
  const within = pictures.filter((one) => sideOf(one) === 'within');
  const first = isContinued ? 0 : firstToCopy(pictures, sideOf);
  const key = isContinued ? undefined : pictures[first];
  const candidates = (first < 0 ? [] : pictures.slice(first)).filter(
    (one) => !key || one.shownTicks >= key.shownTicks,
  );
  const copied = candidates.slice(0, lengthToCopy(candidates, sideOf));
  const isCopied = new Set(copied);
  const encoded = within.filter((one) => !isCopied.has(one));
  const [begin] = copied;
  const isHead = (one: Picture): boolean => !isContinued && isBefore(one, begin);
  const head = spanOf(decodable, encoded.filter(isHead));
  const rest = encoded.filter((one) => !isHead(one));
  const tail = spanOf(decodable, rest);
  const isShown = new Set([...(head?.shown ?? []), ...(tail?.shown ?? [])]);
  return { head, copied, tail, lost: encoded.filter((one) => !isShown.has(one)) };
}

/** The key picture to begin with: one that resets decoders, which can follow on what is encoded; else any. */
function firstToCopy<Picture extends TimedPicture>(
  pictures: readonly Picture[],
  sideOf: (picture: Picture) => Side,
): number {
  const isKey = (one: Picture): boolean => one.key && sideOf(one) !== 'before';
  const any = pictures.findIndex(isKey);
  const first = pictures[any];
  const isLed = pictures.some(
    (one) => sideOf(one) === 'within' && one.shownTicks < (first?.shownTicks ?? Infinity),
  );
  const resetting = isLed ? pictures.findIndex((one) => one.resets && isKey(one)) : any;
  return resetting < 0 ? any : resetting;
}

const isBefore = (one: TimedPicture, begin: TimedPicture | undefined): boolean =>
  !begin || one.shownTicks < begin.shownTicks;

/**
 * How many pictures are copied: up to the first that is shown after the period, and so that what is encoded behind them
 * is shown after all of them.
 */
function lengthToCopy<Picture extends TimedPicture>(
  pictures: readonly Picture[],
  sideOf: (picture: Picture) => Side,
): number {
  const outside = pictures.findIndex((one) => sideOf(one) === 'after');
  if (outside < 0) return pictures.length;
  let length = outside;
  const rest = pictures.slice(outside).filter((one) => sideOf(one) === 'within');
  let earliest = Math.min(...rest.map(({ shownTicks }) => shownTicks));
  while (length > 0 && pictures.slice(0, length).some(({ shownTicks }) => shownTicks > earliest)) {
    length -= 1;
    earliest = Math.min(earliest, pictures[length]!.shownTicks);
  }
  return length;
}

/** Null when none of them can be decoded. */
function spanOf<Picture extends TimedPicture>(
  decodable: readonly Picture[],
  wanted: readonly Picture[],
): Span<Picture> | null {
  const firstKey = decodable.find(({ key }) => key);
  const shown = wanted.filter((one) => firstKey && one.shownTicks >= firstKey.shownTicks);
  if (shown.length === 0) return null;
  const places = shown.map((one) => decodable.indexOf(one));
  const earliest = Math.min(...shown.map(({ shownTicks }) => shownTicks));
  const from = decodable.findLastIndex(
    ({ key, shownTicks }, index) => key && index <= Math.min(...places) && shownTicks <= earliest,
  );
  return { decoded: decodable.slice(from, Math.max(...places) + 1), shown };
}
