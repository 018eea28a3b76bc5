/**
 * Which boxes belong to the picture on the screen. Messages carry the media time of the picture they
 * were found in; they come later than that picture, and fewer of them than pictures.
 */
import type { FaceBox } from '@nazar/contract/live.ts';

interface Sighted {
  readonly at: number;
  readonly faces: readonly FaceBox[];
}

/** A box older than this stands beside its face more often than on it. */
const HIDE_AFTER_S = 0.7;
/** The clock of the picture and the clock of the message are rounded differently. */
const ROUNDING_S = 0.005;
/** No viewer goes back farther than the buffer is long. */
const KEEP_S = 20;

const clampFraction = (value: number): number => Math.min(1, Math.max(0, value));

/** `from` moved by `share` of the way to `to`; beyond 1 it goes on at the same pace. */
function along(from: FaceBox, to: FaceBox, share: number): FaceBox {
  const at = (a: number, b: number): number => a + (b - a) * share;
  const width = clampFraction(at(from.width, to.width));
  const height = clampFraction(at(from.height, to.height));
  return { ...to, x: at(from.x, to.x), y: at(from.y, to.y), width, height };
}

const sameTrack = (sighted: Sighted | undefined, face: FaceBox): FaceBox | undefined =>
  sighted?.faces.find((other) => other.track_id === face.track_id);

const near = (earlier: Sighted, later: Sighted): boolean => later.at - earlier.at <= HIDE_AFTER_S;

export class FaceTimeline {
  readonly #sighted: Sighted[] = [];

  add(at: number, faces: readonly FaceBox[]): void {
    const later = this.#sighted.findLastIndex((one) => one.at <= at);
    this.#sighted.splice(later + 1, 0, { at, faces });
    const newest = this.#sighted.at(-1)?.at ?? at;
    const keep = this.#sighted.findIndex((one) => newest - one.at <= KEEP_S);
    if (keep > 0) this.#sighted.splice(0, keep);
  }

  /** Media time of the newest picture that was analyzed. */
  get newestAt(): number | null {
    return this.#sighted.at(-1)?.at ?? null;
  }

  /** A new stream has a timeline of its own. */
  clear(): void {
    this.#sighted.length = 0;
  }

  /** The boxes for the picture of media time `shown`. */
  facesAt(shown: number): readonly FaceBox[] {
    const index = this.#sighted.findLastIndex((one) => one.at <= shown + ROUNDING_S);
    const now = this.#sighted[index];
    if (now === undefined || shown - now.at > HIDE_AFTER_S) return [];
    return now.faces.map((face) => this.#moved(face, index, now, shown));
  }

  #moved(face: FaceBox, index: number, now: Sighted, shown: number): FaceBox {
    const after = this.#sighted[index + 1];
    const next = sameTrack(after, face);
    if (after !== undefined && next !== undefined && near(now, after)) {
      const between = along(face, next, (shown - now.at) / (after.at - now.at));
      return { ...face, x: between.x, y: between.y, width: between.width, height: between.height };
    }
    // A later message without the face says that it has gone: nothing to follow.
    const before = this.#sighted[index - 1];
    const last = sameTrack(before, face);
    if (after !== undefined || before === undefined || last === undefined || !near(before, now)) {
      return face;
    }
    // One interval ahead the next message is due; beyond that it is unknown where the face went.
    const interval = now.at - before.at;
    const ahead = interval > 0 ? Math.min(shown - now.at, interval) / interval : 0;
    return along(last, face, 1 + Math.max(0, ahead));
  }
}
