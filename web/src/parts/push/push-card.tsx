/** Push messages of the user: this device, all their devices, and, for administrators, what messages say. */
import type { PushState } from '@nazar/contract/push.ts';
import { useQuery } from '@tanstack/react-query';
import { mayChangeWebhooks } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Card } from '#ui/card.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { DeviceList } from './device-list.tsx';
import { PushContents } from './push-contents.tsx';
import { pushQuery, thisDeviceQuery } from './queries.ts';
import { ThisDevice } from './this-device.tsx';

export function PushCard() {
  const { t } = useTranslation();
  const query = useQuery(pushQuery());
  return (
    <Card title={t('push.title')}>
      <QueryView
        query={query}
        failedTitle={t('push.failed')}
        skeleton={<Skeleton className="h-40" />}
      >
        {(state) => <PushParts state={state} />}
      </QueryView>
    </Card>
  );
}

function PushParts({ state }: { state: PushState }) {
  const { t } = useTranslation();
  const me = useUser();
  const { data: own = null } = useQuery(thisDeviceQuery());
  const { public_key: key, devices, content } = state;
  const ownId = devices.find(({ id }) => id === own?.id)?.id ?? null;
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="text-ui text-muted">{t('push.text')}</p>
      {key === null ? (
        <p className="text-ui">{t('push.state.no_key')}</p>
      ) : (
        <>
          <ThisDevice publicKey={key} ownId={ownId} />
          <DeviceList devices={devices} ownId={ownId} />
        </>
      )}
      {mayChangeWebhooks(me) && <PushContents content={content} />}
    </div>
  );
}
