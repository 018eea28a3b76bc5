/** Keeps the screen on while the wall is left running. */
import { useEffect, useState } from 'react';

/** `unavailable`: the browser has no such lock (it wants HTTPS or localhost), or refuses it (a battery that is low). */
export type WakeLockState = 'asked' | 'held' | 'unavailable';

export function useWakeLock(wanted: boolean): WakeLockState {
  const [state, setState] = useState<WakeLockState>('asked');
  useEffect(() => {
    if (!wanted) return undefined;
    let lock: WakeLockSentinel | null = null;
    let over = false;
    const take = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return;
      try {
        // Older browsers, and pages without TLS, have none.
        const locks = (navigator as Partial<Navigator>).wakeLock;
        if (locks === undefined) throw new Error('no wake lock');
        const taken = await locks.request('screen');
        if (over) await taken.release();
        else lock = taken;
        setState('held');
      } catch {
        setState('unavailable');
      }
    };
    // The browser gives it up with the tab; it is taken again when the tab is back.
    const takeAgain = (): void => void take();
    takeAgain();
    document.addEventListener('visibilitychange', takeAgain);
    return () => {
      over = true;
      document.removeEventListener('visibilitychange', takeAgain);
      void lock?.release().catch(() => undefined);
    };
  }, [wanted]);
  return state;
}
