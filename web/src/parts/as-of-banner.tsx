import type { UseQueryResult } from '@tanstack/react-query';
import { useFormat } from '#lib/format.ts';
import { Badge } from '#ui/badge.tsx';
import { RetryBanner } from '#ui/retry-banner.tsx';

export interface AsOfBannerProps {
  /** What could not be loaded. */
  failed: string;
  /** When what is shown was loaded. */
  at: number;
  asOf: (time: string) => string;
  query: UseQueryResult;
}

/** A list could not be loaded again: what is shown is older. */
export function AsOfBanner({ failed, at, asOf, query }: AsOfBannerProps) {
  const { formatTime } = useFormat();
  return (
    <RetryBanner busy={query.isFetching} onRetry={() => void query.refetch()}>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {failed}
        <Badge tone="warning">{asOf(formatTime(at))}</Badge>
      </span>
    </RetryBanner>
  );
}
