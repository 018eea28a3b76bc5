import type { MqttStatus } from '@nazar/contract/mqtt.ts';
import { useTranslation } from '#lib/i18n.ts';
import { TimeAgo } from '#parts/time-ago.tsx';
import { Badge } from '#ui/badge.tsx';

const tones = {
  off: 'neutral',
  connecting: 'info',
  connected: 'success',
  waiting: 'danger',
  elsewhere: 'info',
  clearing: 'warning',
} as const;

/** How the connection is, why there is none, and what is left to do. */
export function MqttStatusLine({ status }: { status: MqttStatus }) {
  const { t } = useTranslation();
  const { state, fault, connected_since: since, dropped_alerts: dropped } = status;
  return (
    <section aria-label={t('mqtt.status')} className="grid gap-2 text-ui">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[state]}>{t(`mqtt.state.${state}`)}</Badge>
        {since !== null && (
          <span className="text-muted">
            <TimeAgo at={since} />
          </span>
        )}
      </p>
      {fault !== null && <p>{t(`mqtt.fault.${fault}`)}</p>}
      {state === 'waiting' && <p className="text-muted">{t('mqtt.triesAgain')}</p>}
      {state === 'clearing' && (
        <p className="text-muted">{t('mqtt.kept', { count: status.kept_topics })}</p>
      )}
      {dropped > 0 && <p className="text-muted">{t('mqtt.dropped', { count: dropped })}</p>}
    </section>
  );
}
