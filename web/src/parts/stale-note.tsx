import { History } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { Button } from '#ui/button.tsx';

export interface Refreshed {
  readonly isRefetchError: boolean;
  readonly isFetching: boolean;
  readonly dataUpdatedAt: number;
  readonly refetch: () => Promise<unknown>;
}

const isToday = (at: number): boolean => new Date(at).toDateString() === new Date().toDateString();

/**
 * Says that what is on the screen could not be refreshed, and since when it is so.
 * Absent while everything is fresh.
 */
export function StaleNote({ queries }: { queries: readonly Refreshed[] }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const stale = queries.filter((query) => query.isRefetchError);
  if (stale.length === 0) return null;
  const since = Math.min(...stale.map((query) => query.dataUpdatedAt));
  return (
    <output className="inline-flex items-center gap-2 rounded-full bg-unrecognized-soft py-0.5 pr-3 pl-2 text-meta font-medium text-unrecognized-text">
      <History aria-hidden className="size-3.5 shrink-0" />
      {t('ui.cached', {
        time: formatTime(since, isToday(since) ? { timeStyle: 'medium' } : undefined),
      })}
      <Button
        look="link"
        className="min-h-6 text-meta text-unrecognized-text underline"
        busy={stale.some((query) => query.isFetching)}
        onClick={() => {
          for (const query of stale) void query.refetch();
        }}
      >
        {t('ui.retry')}
      </Button>
    </output>
  );
}
