/** Time as the recorded player takes it: tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Does the work once, after so long, unless it is disposed before. */
  after(ms: number, work: () => void): Disposable;
}

export const browserClock: Clock = {
  now: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
