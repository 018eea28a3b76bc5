import { faceRoutes } from '@nazar/contract/faces.ts';
import { mqttRoutes } from '@nazar/contract/mqtt.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { ask } from '#api/query.ts';
import { mayCall } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { Page } from '#parts/page.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { SettingsNav } from '#parts/settings-nav.tsx';
import { Card } from '#ui/card.tsx';
import { NotAllowed } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { MqttForm } from './mqtt-form.tsx';
import { MqttStatusLine } from './mqtt-status.tsx';

const NOTICE_MS = 5_000;
/** The connection changes with no event. */
const REFRESH_MS = 3_000;

/** Settings > MQTT: what is sent to a broker, and how the connection is. */
export function MqttPage() {
  const { t } = useTranslation();
  return mayCall(mqttRoutes.read.callers, useUser()) ? (
    <MqttScreen />
  ) : (
    <Page title={t('mqtt.title')}>
      <NotAllowed />
    </Page>
  );
}

function MqttScreen() {
  const { t } = useTranslation();
  const [notice, setNotice] = useNotice();
  const query = useQuery({
    ...ask('settings', mqttRoutes.read, {}),
    refetchInterval: REFRESH_MS,
  });
  const categories = useQuery(ask('faces', faceRoutes.categories, {})).data?.results ?? [];
  return (
    <Page title={t('mqtt.title')} subtitle={t('mqtt.subtitle')}>
      <SettingsNav />
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
      <Card title={t('mqtt.connection')} className="max-w-3xl">
        <QueryView query={query} skeleton={<Skeleton className="h-96" />}>
          {({ settings, has_password: hasPassword, status }) => (
            <div className="grid grid-cols-1 gap-5">
              <MqttStatusLine status={status} />
              <MqttForm
                settings={settings}
                hasPassword={hasPassword}
                categories={categories}
                onSaved={() => setNotice(t('settings.saved'))}
              />
            </div>
          )}
        </QueryView>
      </Card>
    </Page>
  );
}
