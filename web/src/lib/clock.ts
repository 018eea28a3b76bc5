/** Time as a class is given it, so that a test can tell what time it is. */
export interface Clock {
  /** Milliseconds that never go backwards. */
  readonly nowMs: () => number;
  /** Runs it once that time has passed, unless it is taken back by what this returns. */
  readonly after: (ms: number, run: () => void) => () => void;
}

export const browserClock: Clock = {
  nowMs: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
