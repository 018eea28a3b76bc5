import { useFormat } from '#lib/format.ts';
import { useNow } from '#lib/use-now.ts';

/** Often enough for "now" to be true, and seldom enough to be read in peace. */
const stepMs = 5000;

/** "2 minutes ago · 14:03": how long ago, and exactly when; the whole date as a title. */
export function TimeAgo({ at }: { at: string }) {
  const { formatAgo, formatTime } = useFormat();
  // A moment after the step began is not in the future.
  const now = Math.max(useNow(true, stepMs), Date.parse(at));
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
