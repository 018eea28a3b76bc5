/**
 * How evenly media arrives: how far behind the fastest of it a picture must be played so that the next one
 * is there when the one before it is over. Knows ends of buffers and moments only.
 *
 * Measured is the room that was needed just before something came, not how late it was: three pictures
 * that come together end as if nothing had been late, and the first of them was waited for all the same.
 */

/** What is remembered, in seconds of arrivals. */
const MEMORY_S = 30;
/** So many seconds are enough to say something. */
const ENOUGH_S = 3;
/** What the server kept for new viewers arrives at once, while the page is still being made: it says nothing. */
const OPENING_MS = 2000;
/** Another timeline, or one that goes on after a pause of the camera. */
const LEAP_S = 1;
/** Ends are sums of rounded durations. */
const SAME_S = 0.001;

/** One second of arrivals; both in seconds from the media timeline to the clock. */
interface Second {
  readonly number: number;
  fastest: number;
  latest: number;
}

/** How far behind the fastest arrivals nothing had to be waited for, in seconds. */
export interface Needed {
  /** In one second of two. */
  readonly typicalS: number;
  /** In all of what is remembered. */
  readonly worstS: number;
}

export class Arrivals {
  #seconds: Second[] = [];
  #sinceMs: number | null = null;
  #end = 0;
  /** Where the buffer ended before it last grew: pictures between may still come (B-frames). */
  #endBefore = 0;

  /** Something was added to a buffer that now ends there. False: it belongs before what was there already. */
  add(end: number, nowMs: number): boolean {
    const grown = end - this.#end;
    if (this.#sinceMs === null || grown < -SAME_S || grown > LEAP_S) {
      this.#begin(end, nowMs);
      return true;
    }
    const grows = grown > SAME_S;
    if (grows) this.#endBefore = this.#end;
    this.#end = end;
    // One that comes after a picture that follows it (B-frames) was wanted where the buffer ended before.
    if (nowMs - this.#sinceMs >= OPENING_MS) this.#note(nowMs / 1000, end, this.#endBefore);
    return grows;
  }

  /** Null: too little is known yet. */
  needed(): Needed | null {
    if (this.#seconds.length < ENOUGH_S) return null;
    const fastest = Math.min(...this.#seconds.map((second) => second.fastest));
    const latest = this.#seconds.map((second) => second.latest).toSorted((a, b) => a - b);
    const [typical = 0, worst = 0] = [latest[latest.length >> 1], latest.at(-1)];
    return { typicalS: typical - fastest, worstS: worst - fastest };
  }

  #begin(end: number, nowMs: number): void {
    this.#seconds = [];
    this.#sinceMs = nowMs;
    this.#end = end;
    this.#endBefore = end;
  }

  #note(now: number, end: number, endBefore: number): void {
    const number = Math.floor(now);
    const [fastest, latest] = [now - end, now - endBefore];
    const newest = this.#seconds.at(-1);
    if (newest?.number === number) {
      newest.fastest = Math.min(newest.fastest, fastest);
      newest.latest = Math.max(newest.latest, latest);
      return;
    }
    this.#seconds = this.#seconds.filter((second) => second.number > number - MEMORY_S);
    this.#seconds.push({ number, fastest, latest });
  }
}
