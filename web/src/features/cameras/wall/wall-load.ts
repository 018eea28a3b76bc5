/**
 * What a wall shows of every camera when the device can't show them all: less of each, for all alike, instead of
 * everything of some and nothing of others, as a browser would choose by chance. It steps down soon and up late. Pure:
 * it knows measured tiles and moments only.
 */
import { paces, type Pace } from '#parts/player/live/pace.ts';

/** What a tile's player counted so far. */
export interface TileLoad {
  /** Pictures that came and are to be shown. What a slow connection keeps back is not among them. */
  readonly came: number;
  /** Pictures that were on the screen. */
  readonly shown: number;
  /** What the camera sends a second. */
  readonly fps: number;
}

export interface WallMeasure {
  readonly atMs: number;
  /** The tiles that play, by camera. */
  readonly tiles: ReadonlyMap<string, TileLoad>;
  /** How many of the turns that it wanted the page had, from 0 to 1. */
  readonly turns: number;
}

/** Below this share of what came a tile is behind. */
const leastShare = 0.5;
/** A page that has fewer turns is late whatever it shows. */
const leastTurns = 0.5;
/** One that has fewer is busy: what it doesn't fetch in time the server leaves out, so that it never comes. */
const freeTurns = 0.85;
/** Fewer pictures say nothing. */
const leastCame = 3;
/** So long is measured. Key frames come each 1 to 4 s in most cameras. */
const windowMs = { streams: 4000, keyFrames: 16_000, stills: 4000 } as const;
/** One alone says nothing. */
const leastMeasures = 2;
/** So many of the tiles that receive something are behind: one alone has trouble of its own. */
const behindShare = 0.25;
/** So long that holds before less is shown: a page that opens nine streams is busy for a while. */
const downAfterMs = 8000;
/** A step is given so long to help before it is measured: what was on its way belongs to the one before. */
const settleMs = 10_000;
/** So long all is well before more is tried again; twice as long after each try that failed. */
const firstUpAfterMs = 60_000;
const longestUpAfterMs = 15 * 60_000;

export class WallLoad {
  #step = 0;
  /** The measures of the window, the oldest first. */
  #measures: WallMeasure[] = [];
  #behindSinceMs: number | null = null;
  #wellSinceMs: number | null = null;
  #changedMs = -Infinity;
  #upAfterMs = firstUpAfterMs;
  /** When more was last tried again. */
  #climbedMs = -Infinity;

  get pace(): Pace {
    return paces[this.#step] ?? 'streams';
  }

  /** Called each second while the page is in sight. Returns what is shown from now on. */
  measure(measure: WallMeasure): Pace {
    const { atMs } = measure;
    if (atMs - this.#changedMs < settleMs) return this.pace;
    this.#keep(measure);
    const found = this.#judge();
    this.#behindSinceMs = found === 'behind' ? (this.#behindSinceMs ?? atMs) : null;
    this.#wellSinceMs = found === 'well' ? (this.#wellSinceMs ?? atMs) : null;
    if (lasts(this.#behindSinceMs, downAfterMs, atMs)) this.#down(atMs);
    else if (lasts(this.#wellSinceMs, this.#upAfterMs, atMs)) this.#up(atMs);
    return this.pace;
  }

  /** Nothing was measured for a while, because the page was out of sight: what was before says nothing of now. */
  forget(): void {
    this.#measures = [];
    this.#behindSinceMs = null;
    this.#wellSinceMs = null;
  }

  #keep(measure: WallMeasure): void {
    const fromMs = measure.atMs - windowMs[this.pace];
    // A starved page measures each few seconds only: the last ones count whenever they were.
    const last = this.#measures.length - leastMeasures;
    const kept = this.#measures.filter(({ atMs }, index) => atMs >= fromMs || index > last);
    this.#measures = [...kept, measure];
  }

  /** `unknown`: where nothing comes, a device shows neither that it can nor that it can't. */
  #judge(): 'behind' | 'well' | 'unknown' {
    const turns = this.#measures.reduce((sum, one) => sum + one.turns, 0) / this.#measures.length;
    if (this.#measures.length >= leastMeasures && turns <= leastTurns) return 'behind';
    // Stills cost so little that they say nothing of whether more would do: that is found by trying.
    if (this.pace === 'stills') return 'well';
    const ids = this.#measures.at(-1)?.tiles.keys() ?? [];
    const isBusy = turns <= freeTurns && this.pace === 'streams';
    const receiving = [...ids]
      .map((id) => this.#overWindow(id, isBusy))
      .filter(({ due }) => due > 0);
    if (receiving.length === 0) return 'unknown';
    const measured = receiving.filter(({ due }) => due >= leastCame);
    const behind = measured.filter(({ due, shown }) => shown < due * leastShare).length;
    return behind > 0 && behind >= measured.length * behindShare ? 'behind' : 'well';
  }

  /** What was due and what was shown within the window. A busy page owes what the camera sends, another what came. */
  #overWindow(id: string, isBusy: boolean): { readonly due: number; readonly shown: number } {
    const loads = this.#measures.flatMap(({ atMs, tiles }) => {
      const load = tiles.get(id);
      return load === undefined ? [] : [{ atMs, ...load }];
    });
    const [first, last] = [loads[0], loads.at(-1)];
    if (first === undefined || last === undefined) return none;
    // A player that was made anew begins to count at 0.
    if (last.came < first.came || last.shown < first.shown) return none;
    const came = last.came - first.came;
    const sent = (last.fps * (last.atMs - first.atMs)) / 1000;
    return { due: isBusy ? Math.max(came, sent) : came, shown: last.shown - first.shown };
  }

  #down(nowMs: number): void {
    if (this.#step === paces.length - 1) return;
    // Tried again in vain: the next try comes later.
    if (nowMs - this.#climbedMs < firstUpAfterMs)
      this.#upAfterMs = Math.min(this.#upAfterMs * 2, longestUpAfterMs);
    this.#change(1, nowMs);
  }

  #up(nowMs: number): void {
    if (this.#step === 0) {
      this.#upAfterMs = firstUpAfterMs;
      return;
    }
    this.#climbedMs = nowMs;
    this.#change(-1, nowMs);
  }

  #change(by: 1 | -1, nowMs: number): void {
    this.#step += by;
    this.#changedMs = nowMs;
    this.forget();
  }
}

const none = { due: 0, shown: 0 };

const lasts = (sinceMs: number | null, ms: number, nowMs: number): boolean =>
  sinceMs !== null && nowMs - sinceMs >= ms;
