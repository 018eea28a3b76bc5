/**
 * The clock of the screen: one for everything on it, so that no two times it shows disagree, and none is older
 * than its step, however long what reads it was not shown.
 */
import { useCallback, useSyncExternalStore } from 'react';

/** Unix time, down to a whole step: equal for all who ask within one. */
const downTo = (stepMs: number): number => Math.floor(Date.now() / stepMs) * stepMs;

/** Calls `changed` at the beginning of each step. */
function onEachStep(stepMs: number, changed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = (): void => {
    timer = setTimeout(tick, stepMs - (Date.now() % stepMs));
  };
  const tick = (): void => {
    changed();
    wait();
  };
  wait();
  return () => clearTimeout(timer);
}

const never = (): (() => void) => () => undefined;

/**
 * Unix time in milliseconds, down to a whole `stepMs`; read again at each step while `ticking`, else whenever the
 * component is rendered. Counting down to a moment, round down: what begins now in 5 s starts at 5.
 */
export function useNow(ticking: boolean, stepMs = 1000): number {
  const subscribe = useCallback((changed: () => void) => onEachStep(stepMs, changed), [stepMs]);
  return useSyncExternalStore(ticking ? subscribe : never, () => downTo(stepMs));
}
