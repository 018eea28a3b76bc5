/** One alert whole: what it is about, its visits, what became of it, and what can be done. */
import type { AlertDetails } from '@nazar/contract/alerts.ts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { BellOff } from 'lucide-react';
import { Problem } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { useActionDialogs } from '../action-dialogs.tsx';
import { AlertActions } from '../alert-actions.tsx';
import { alertQuery } from '../queries.ts';
import { useShown, type ChangeStatus } from '../shown-alert.ts';
import { AlertFacts } from './alert-facts.tsx';
import { AlertHistory } from './alert-history.tsx';
import { AlertVisits } from './alert-visits.tsx';
import { SnoozeButton } from './snooze-button.tsx';

export interface AlertWindowProps {
  id: string;
  onChange: ChangeStatus;
  onClose: () => void;
}

export function AlertWindow({ id, onChange, onClose }: AlertWindowProps) {
  const { t } = useTranslation();
  const query = useQuery(alertQuery(id));
  const title = query.data?.title ?? t('alerts.alert');
  return (
    <Dialog open title={title} width="large" onClose={onClose}>
      <Details query={query} onChange={onChange} />
    </Dialog>
  );
}

interface DetailsProps {
  query: UseQueryResult<AlertDetails>;
  onChange: ChangeStatus;
}

/** Reads the answer in here: the window, whose code may come after the answer, would read the rest too late. */
function Details({ query, onChange }: DetailsProps) {
  const { t } = useTranslation();
  const { error } = query;
  if (error instanceof Problem && [400, 404].includes(error.status)) {
    return <EmptyState icon={<BellOff />} title={t('alerts.gone')} text={t('alerts.goneText')} />;
  }
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton className="h-96" />}
      failedTitle={t('alerts.detailsFailed')}
    >
      {(alert) => <Whole alert={alert} onChange={onChange} />}
    </QueryView>
  );
}

function Whole({ alert: answered, onChange }: { alert: AlertDetails; onChange: ChangeStatus }) {
  const alert = useShown()(answered);
  const { onAsk, dialogs } = useActionDialogs(onChange);
  return (
    <div className="grid grid-cols-1 gap-5">
      {alert.message !== '' && <p className="text-ui [overflow-wrap:anywhere]">{alert.message}</p>}
      <div className="flex flex-wrap gap-2">
        <AlertActions alert={alert} onChange={onChange} onAsk={onAsk} />
        <SnoozeButton alert={alert} onSnooze={() => onAsk('snooze', alert)} />
      </div>
      {dialogs}
      <AlertFacts alert={alert} />
      <AlertVisits visits={alert.visits} />
      <AlertHistory alert={alert} />
    </div>
  );
}
