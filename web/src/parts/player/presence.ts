/**
 * Who is in view, for screen readers: changes only when a person came or has been
 * gone for a while, so that a face that flickers is not announced again and again.
 */
import type { FaceBox } from '@nazar/contract/live.ts';

export interface Present {
  /** Each name once, in the order they came. */
  readonly known: readonly string[];
  readonly unknown: number;
  /** Faces with a box of which nothing is said: being recognized, not recognizable, or just come. */
  readonly faces: number;
}

export const noOne: Present = { known: [], unknown: 0, faces: 0 };

/** Between two detections of a person who turned away; longer, and the words would not be true any more. */
const GONE_AFTER_MS = 1000;
/** What is said of a track that lives shorter than this is not worth a word; that there is a face is. */
const CAME_AFTER_MS = 500;

interface Seen {
  state: FaceBox['state'];
  name: string | null;
  sinceMs: number;
  lastMs: number;
}

export class Presence {
  readonly #tracks = new Map<string, Seen>();

  /** Takes what is drawn now; the answer is worth showing when it differs from the one before. */
  see(faces: readonly FaceBox[], nowMs: number): Present {
    for (const { track_id: track, state, name } of faces) {
      const { sinceMs } = this.#tracks.get(track) ?? { sinceMs: nowMs };
      const shown = state === 'known' ? name : null;
      this.#tracks.set(track, { state, name: shown, sinceMs, lastMs: nowMs });
    }
    for (const [track, seen] of this.#tracks) {
      if (nowMs - seen.lastMs > GONE_AFTER_MS) this.#tracks.delete(track);
    }
    const tracks = [...this.#tracks.values()];
    const decided = tracks.filter(
      ({ state, sinceMs }) =>
        (state === 'known' || state === 'unknown') && nowMs - sinceMs >= CAME_AFTER_MS,
    );
    const known = decided.map(({ name }) => name).filter((name) => name !== null);
    return {
      known: [...new Set(known)],
      unknown: decided.filter(({ name }) => name === null).length,
      faces: tracks.length - decided.length,
    };
  }
}

export const samePresent = (one: Present, other: Present): boolean =>
  one.unknown === other.unknown &&
  one.faces === other.faces &&
  one.known.length === other.known.length &&
  one.known.every((name, index) => name === other.known[index]);
