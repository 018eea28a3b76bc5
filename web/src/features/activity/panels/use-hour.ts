import { useEffect, useState } from 'react';

const hourMs = 3_600_000;
const lookMs = 60_000;

const hourOf = (ms: number): number => Math.floor(ms / hourMs) * hourMs;

/** When the hour began that is now: a page that is left open goes on with the days, and asks no oftener. */
export function useHour(): number {
  const [hour, setHour] = useState(() => hourOf(Date.now()));
  useEffect(() => {
    const timer = setInterval(() => setHour(hourOf(Date.now())), lookMs);
    return () => clearInterval(timer);
  }, []);
  return hour;
}
