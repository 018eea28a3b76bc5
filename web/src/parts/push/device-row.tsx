import type { PushDevice } from '@nazar/contract/push.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Row } from '#ui/data-list.tsx';

export interface DeviceRowProps {
  device: PushDevice;
  /** It is the browser that shows this. */
  isOwn: boolean;
  isTesting: boolean;
  onTest: () => void;
  onRemove: () => void;
}

export function DeviceRow({ device, isOwn, isTesting, onTest, onRemove }: DeviceRowProps) {
  const { t } = useTranslation();
  const { name } = device;
  return (
    <Row
      title={
        <span className="flex flex-wrap items-center gap-2">
          {name}
          {isOwn && <Badge tone="success">{t('push.thisDevice')}</Badge>}
        </span>
      }
      text={<Facts device={device} />}
      aside={
        <span className="flex flex-wrap justify-end gap-2">
          <Button
            look="secondary"
            size="small"
            busy={isTesting}
            aria-label={t('push.testOf', { name })}
            onClick={onTest}
          >
            {t('push.test')}
          </Button>
          <Button
            look="secondary"
            size="small"
            aria-label={t('push.removeOf', { name })}
            onClick={onRemove}
          >
            {t('push.remove')}
          </Button>
        </span>
      }
    />
  );
}

function Facts({ device }: { device: PushDevice }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { service, renewed_at: renewed, delivered_at: delivered, fault } = device;
  return (
    <>
      <span className="block">
        {t('push.about', { service, time: formatTime(renewed) })}
        {' · '}
        {delivered === null
          ? t('push.neverSent')
          : t('push.lastSent', { time: formatTime(delivered) })}
      </span>
      {fault !== null && (
        <span className="block text-danger-text">{t(`push.faults.${fault}`)}</span>
      )}
    </>
  );
}
