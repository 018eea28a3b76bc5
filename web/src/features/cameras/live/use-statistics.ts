import { useEffect, useState } from 'react';
import { ratesBetween, type LiveRates, type LiveSample } from '#parts/player/live/live-sample.ts';
import type { LivePlayer } from '#parts/player/live-player.ts';

const everyMs = 1000;

export interface Statistics {
  readonly sample: LiveSample;
  readonly rates: LiveRates;
}

/** What the player received and showed in the last second; null while there is nothing to tell. */
export function useStatistics(player: LivePlayer | null): Statistics | null {
  const [statistics, setStatistics] = useState<Statistics | null>(null);
  useEffect(() => {
    let before: LiveSample | null = null;
    let isOver = false;
    const look = async (): Promise<void> => {
      const sample = (await player?.sample()) ?? null;
      if (isOver) return;
      setStatistics(sample && { sample, rates: ratesBetween(before, sample) });
      before = sample;
    };
    // A connection that ended in between has no figures; the next second has.
    const tick = (): void => void look().catch(() => undefined);
    tick();
    const timer = setInterval(tick, everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [player]);
  return statistics;
}
