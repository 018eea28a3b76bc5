/**
 * When a track of a sub-stream is looked at in the main stream again: each look costs the decoding of every picture
 * since its last key frame. Pure.
 */
/** Looks at the main stream's picture of a track. */
export interface MainStreamLooks {
  /** Of which something came, and of which nothing did since. */
  readonly looks: number;
  readonly inVain: number;
  /** When the last of them was. */
  readonly at: number;
}

export const neverInMainStream: MainStreamLooks = { looks: 0, inVain: 0, at: -Infinity };

/** Two looks decide most tracks. While nobody is known two more follow each other closely, then some now and then. */
const soonLooks = 2;
const moreLooks = 4;
const moreEveryMs = 2_000;
const laterEveryMs = 10_000;
/** A face that is not found there, or too poor there too, may come nearer: each next look waits twice as long. */
const inVainMs = 1_000;

/** One more, that helped or did not. */
export const counted = (
  { looks, inVain }: MainStreamLooks,
  at: number,
  helped: boolean,
): MainStreamLooks =>
  helped ? { looks: looks + 1, inVain: 0, at } : { looks, inVain: inVain + 1, at };

/** How long after the last look the next one may be. */
export function closerAfterMs(
  { looks, inVain }: MainStreamLooks,
  isKnown: boolean,
  doubt: boolean,
): number {
  if (looks + inVain < 1) return 0;
  if (isKnown && !doubt) return looks + inVain < soonLooks ? 0 : Infinity;
  if (inVain > 0) return Math.min(laterEveryMs, inVainMs * 2 ** (inVain - 1));
  if (looks < soonLooks) return 0;
  return doubt || looks < moreLooks ? moreEveryMs : laterEveryMs;
}
