/** What became of an alert, the oldest first, with names and times. */
import type { AlertDetails, AlertStep } from '@nazar/contract/alerts.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';

export function AlertHistory({ alert: { history } }: { alert: Pick<AlertDetails, 'history'> }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const sentenceOf = useStepWords();
  if (history.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-2" aria-label={t('alerts.history')}>
      <h3 className="text-ui font-semibold">{t('alerts.history')}</h3>
      <ol className="grid grid-cols-1 gap-1.5 border-l-2 border-line pl-3">
        {history.map((step) => (
          <li key={`${step.kind} ${step.at}`} className="grid grid-cols-1">
            <span className="text-ui [overflow-wrap:anywhere]">{sentenceOf(step)}</span>
            <time dateTime={step.at} className="text-meta text-muted">
              {formatTime(step.at, { dateStyle: 'medium', timeStyle: 'medium' })}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Without a name it was the server, or an account that is gone. */
function useStepWords(): (step: AlertStep) => string {
  const { t } = useTranslation();
  return ({ kind, by, to: assignee }) => {
    const to = assignee ?? t('alerts.steps.goneUser');
    if (kind === 'assigned' && by === to && by !== null) return t('alerts.steps.taken', { by });
    if (kind === 'assigned' && by !== null) return t('alerts.steps.assignedBy', { by, to });
    if (kind === 'assigned') return t('alerts.steps.assigned', { to });
    if (kind === 'resolved' && by !== null) return t('alerts.steps.resolvedBy', { by });
    if (kind === 'dismissed' && by !== null) return t('alerts.steps.dismissedBy', { by });
    return t(`alerts.steps.${kind}`);
  };
}
