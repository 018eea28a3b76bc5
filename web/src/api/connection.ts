import { signal } from '#lib/signal.ts';

/** Whether the last request reached the server at all. */
export const reachable = signal(true);

let answeredMs = Date.now();

/** Something came from the server: what is on the screen is of now. */
export function serverAnswered(): void {
  answeredMs = Date.now();
}

/** When that was last so, in milliseconds of `Date.now()`. */
export const lastAnsweredMs = (): number => answeredMs;
