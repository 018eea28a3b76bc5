/** The newest alerts, each with its level and what became of it (DASH-012), five at most (DASH-013, CON-014). */
import { alertRoutes, type Alert } from '@nazar/contract/alerts.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { ask } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';
import { AlertStatusBadge, LevelBadge } from '#parts/alerts/alert-badges.tsx';
import { useOwnCameras } from '#parts/alerts/use-own-cameras.ts';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { TimeAgo } from '#parts/time-ago.tsx';
import { Card } from '#ui/card.tsx';
import { RowList } from '#ui/data-list.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const ALERTS_SHOWN = 5;
const refetchInterval = 30_000;

const alertsQuery = (ids: string | undefined) => ({
  ...ask('alerts', alertRoutes.list, {
    query: { camera__in: ids, ordering: '-created_at', page_size: ALERTS_SHOWN },
  }),
  refetchInterval,
});

const wayLook =
  'inline-flex min-h-6 items-center font-medium text-primary-text underline-offset-4 hover:underline touch:min-h-11';

export function RecentAlerts() {
  const { t } = useTranslation();
  const { ids, isKnown } = useOwnCameras({ areShown: false });
  const query = useQuery({ ...alertsQuery(ids), enabled: isKnown });
  const all = (
    <Link to="/alerts" className={wayLook}>
      {t('alerts.all')}
    </Link>
  );
  return (
    <Card title={t('alerts.recent')} aside={all} className="lg:col-span-3">
      <StaleNote queries={[query]} />
      <QueryView query={query} skeleton={<Skeleton className="h-71" />}>
        {({ results }) =>
          results.length === 0 ? (
            <EmptyState icon={<ShieldCheck />} title={t('alerts.empty')} />
          ) : (
            <RowList label={t('alerts.recent')}>
              {results.slice(0, ALERTS_SHOWN).map((alert) => (
                <AlertRow key={alert.id} alert={alert} />
              ))}
            </RowList>
          )
        }
      </QueryView>
    </Card>
  );
}

function AlertRow({ alert: { id, title, level, status, created_at: at } }: { alert: Alert }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 py-2.5">
      <Link
        to="/alerts"
        search={{ alert: id }}
        className="min-h-6 max-w-full truncate text-ui font-medium hover:underline touch:min-h-11"
      >
        {title}
      </Link>
      <span className="flex flex-wrap items-center gap-1.5 text-meta text-muted">
        <LevelBadge level={level} />
        <AlertStatusBadge status={status} />
        <TimeAgo at={at} />
      </span>
    </li>
  );
}
