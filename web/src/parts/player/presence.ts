/**
 * Who is in view, for people who listen instead of look: changes only when somebody came or has been
 * gone for a while, so that a face that flickers is not announced again and again.
 */
import type { FaceBox } from '@nazar/contract/live.ts';

export interface Present {
  /** Each name once, in the order they came. */
  readonly known: readonly string[];
  readonly unknown: number;
}

export const nobody: Present = { known: [], unknown: 0 };

/** Between two looks at somebody who turned away; longer, and the words would not be true any more. */
const GONE_AFTER_MS = 1000;
/** A track that lives shorter than this is not worth a word. */
const CAME_AFTER_MS = 500;

interface Seen {
  name: string | null;
  sinceMs: number;
  lastMs: number;
}

export class Presence {
  readonly #tracks = new Map<string, Seen>();

  /** Takes what is drawn now; the answer is worth showing when it differs from the one before. */
  see(faces: readonly FaceBox[], nowMs: number): Present {
    for (const face of faces) {
      if (face.state !== 'known' && face.state !== 'unknown') continue;
      const name = face.state === 'known' ? face.name : null;
      const seen = this.#tracks.get(face.track_id);
      if (seen === undefined)
        this.#tracks.set(face.track_id, { name, sinceMs: nowMs, lastMs: nowMs });
      else {
        seen.name = name;
        seen.lastMs = nowMs;
      }
    }
    for (const [track, seen] of this.#tracks) {
      if (nowMs - seen.lastMs > GONE_AFTER_MS) this.#tracks.delete(track);
    }
    const settled = [...this.#tracks.values()].filter(
      (seen) => nowMs - seen.sinceMs >= CAME_AFTER_MS,
    );
    const known = settled.map((seen) => seen.name).filter((name) => name !== null);
    return {
      known: [...new Set(known)],
      unknown: settled.filter((seen) => seen.name === null).length,
    };
  }
}

export const samePresent = (one: Present, other: Present): boolean =>
  one.unknown === other.unknown &&
  one.known.length === other.known.length &&
  one.known.every((name, index) => name === other.known[index]);
