/** The devices of the user: what became of the last message, a test, and the way to remove one. */
import type { PushDevice, PushTest } from '@nazar/contract/push.ts';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { RowList } from '#ui/data-list.tsx';
import { DeviceRow } from './device-row.tsx';
import { useTestDevice } from './queries.ts';
import { RemoveDevice } from './remove-device.tsx';

export interface DeviceListProps {
  devices: readonly PushDevice[];
  ownId: string | null;
}

export function DeviceList({ devices, ownId }: DeviceListProps) {
  const { t } = useTranslation();
  const [removed, setRemoved] = useState<PushDevice | null>(null);
  const test = useTestDevice();
  if (devices.length === 0) return <p className="text-ui text-muted">{t('push.none')}</p>;
  return (
    <div className="grid grid-cols-1 gap-3">
      {test.isError && <Banner tone="error">{problemSentence(test.error)}</Banner>}
      {test.data !== undefined && <Tested {...test.data} />}
      <RowList label={t('push.devices')}>
        {devices.map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            isOwn={device.id === ownId}
            isTesting={test.isPending && test.variables === device.id}
            onTest={() => test.mutate(device.id)}
            onRemove={() => setRemoved(device)}
          />
        ))}
      </RowList>
      {removed !== null && <RemoveDevice device={removed} onClose={() => setRemoved(null)} />}
    </div>
  );
}

/** What the push service answered. */
function Tested({ is_delivered, status, fault }: PushTest) {
  const { t } = useTranslation();
  return (
    <Banner tone={is_delivered ? 'success' : 'error'}>
      {is_delivered ? t('push.testOk') : t('push.testFailed')}
      {fault !== null && ` ${t(`push.faults.${fault}`)}`}
      {status !== null && !is_delivered && ` ${t('push.status', { status })}`}
    </Banner>
  );
}
