import { warningRoutes, type Warning } from '@nazar/contract/warnings.ts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { needSentences, useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { call } from '#api/call.ts';
import { ask } from '#api/query.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { RetryBanner } from '#ui/retry-banner.tsx';
import type { WarningListProps } from './warning-list.tsx';

const refetchInterval = 30_000;

const { Component: WarningList, preload } = onDemand<WarningListProps>(async () => {
  const [loaded] = await Promise.all([import('./warning-list.tsx'), needSentences('warning-list')]);
  return loaded.WarningList;
});

type Warnings = { results: Warning[] };
type WarningsQuery = UseQueryResult<Warnings>;

/**
 * Asked only for administrators: no other user sees them. Warnings appear once their list can be drawn: it comes with
 * the first of them, so nothing moves when it does.
 */
export function useWarnings(): WarningsQuery {
  return useQuery({
    ...ask('system', warningRoutes.list, {}),
    queryFn: async ({ signal }) => {
      const warnings = await call(warningRoutes.list, { signal });
      // What could not be loaded is loaded when it is drawn, or is said there.
      if (warnings.results.length > 0) await preload().catch(() => undefined);
      return warnings;
    },
    refetchInterval,
    enabled: isAdministrator(useUser()),
  });
}

/** Nothing when all is well. */
export function Warnings({ query: warnings }: { query: WarningsQuery }) {
  const { t } = useTranslation();
  if (warnings.isError) {
    return (
      <RetryBanner look="secondary" onRetry={() => void warnings.refetch()}>
        {t('warning.unread')}
      </RetryBanner>
    );
  }
  const open = warnings.data?.results ?? [];
  return open.length === 0 ? null : <WarningList warnings={open} />;
}
