/** Turns the pages of the wall while it runs. */
import { useEffect, useEffectEvent } from 'react';

export interface Tour {
  readonly page: number;
  readonly pages: number;
  /** Null: pages change by hand. */
  readonly seconds: number | null;
  readonly running: boolean;
}

/** A page that was chosen by hand stands as long as any other. */
export function useTour({ page, pages, seconds, running }: Tour, show: (page: number) => void) {
  const turn = useEffectEvent((from: number) => {
    // A hidden tab has no viewer.
    if (document.visibilityState === 'visible') show(from < pages ? from + 1 : 1);
  });
  const everyMs = running && pages > 1 && seconds !== null ? seconds * 1000 : null;
  useEffect(() => {
    if (everyMs === null) return undefined;
    const timer = setInterval(() => turn(page), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, page]);
}
