import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { Badge } from '#ui/badge.tsx';
import { RetryBanner } from '#ui/retry-banner.tsx';

/** The list could not be loaded; what is shown is from `at`. */
export function StaleBanner({ at, query }: { at: number; query: UseQueryResult }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  return (
    <RetryBanner busy={query.isFetching} onRetry={() => void query.refetch()}>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {t('cameras.loadFailed')}
        <Badge tone="warning">{t('cameras.asOf', { time: formatTime(at) })}</Badge>
      </span>
    </RetryBanner>
  );
}
