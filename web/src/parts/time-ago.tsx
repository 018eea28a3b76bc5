import { useEffect, useState } from 'react';
import { useFormat } from '#lib/format.ts';

/** Often enough for what counts in minutes. */
const TICK_MS = 20_000;

function useSlowClock(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** "2 minutes ago · 14:03": how long ago, and exactly when; the whole date as a title. */
export function TimeAgo({ at }: { at: string }) {
  const { formatAgo, formatTime } = useFormat();
  // What is newer than the last tick shall not lie in the future.
  const now = Math.max(useSlowClock(), Date.parse(at));
  const today = new Date(at).toDateString() === new Date(now).toDateString();
  return (
    <time dateTime={at} title={formatTime(at, { dateStyle: 'full', timeStyle: 'medium' })}>
      {formatAgo(at, now)}
      {' · '}
      {today
        ? formatTime(at, { timeStyle: 'short' })
        : formatTime(at, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })}
    </time>
  );
}
