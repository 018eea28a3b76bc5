/** What stands above the list: that it is old, that alerts came in, that changes wait for the server. */
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { alertChanges, syncAlerts } from '#api/offline-alerts.ts';
import { refresh } from '#api/query.ts';
import { useUser } from '#api/session.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import { Arrived } from '#parts/arrived.tsx';
import { Badge } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import type { Alerts } from './use-alerts.ts';

/** The list could not be loaded; what is shown is from `at`. */
export function StaleAlerts({ at, query }: { at: number; query: UseQueryResult }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  return (
    <Banner
      tone="error"
      action={
        <Button
          look="link"
          className="text-current underline"
          busy={query.isFetching}
          onClick={() => void query.refetch()}
        >
          {t('ui.retry')}
        </Button>
      }
    >
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {t('alerts.failed')}
        <Badge tone="warning">{t('ui.cached', { time: formatTime(at) })}</Badge>
      </span>
    </Banner>
  );
}

export interface ArrivedAlertsProps {
  found: Pick<Alerts, 'waiting' | 'showWaiting'>;
  /** The newest come first, and the first page is shown: what waits is new. */
  isNewest: boolean;
}

export function ArrivedAlerts({ found: { waiting, showWaiting }, isNewest }: ArrivedAlertsProps) {
  const { t } = useTranslation();
  const count = waiting.length;
  const text = isNewest ? t('alerts.arrived', { count }) : t('alerts.listChanged');
  return <Arrived text={count > 0 ? text : null} onShow={showWaiting} />;
}

export function WaitingChanges() {
  const { t } = useTranslation();
  const { id } = useUser();
  const client = useQueryClient();
  const changes = useSignal(alertChanges);
  const count = [...changes.values()].filter(({ isWaiting }) => isWaiting).length;
  if (count === 0) return null;
  return (
    <Banner
      tone="info"
      action={
        <Button look="link" onClick={() => void syncAlerts(id, () => refresh(client, 'alerts'))}>
          {t('alerts.saveNow')}
        </Button>
      }
    >
      {t('alerts.waiting', { count })}
    </Banner>
  );
}
