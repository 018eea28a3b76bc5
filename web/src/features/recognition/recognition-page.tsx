import { useQuery } from '@tanstack/react-query';
import { settingsRoutes } from '@nazar/contract/settings.ts';
import { useTranslation } from '#lib/i18n.ts';
import { ask } from '#api/query.ts';
import { isAdministrator, mayChangeCameras } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { Page } from '#parts/page.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { SettingsNav } from '#parts/settings-nav.tsx';
import { Card } from '#ui/card.tsx';
import { NotAllowed } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { ModelsCard } from './models-card.tsx';
import { RecognitionForm } from './recognition-form.tsx';

const NOTICE_MS = 5000;

/** Settings > Recognition: who is named, and by how much work. */
export function RecognitionPage() {
  const { t } = useTranslation();
  return isAdministrator(useUser()) ? (
    <RecognitionScreen />
  ) : (
    <Page title={t('recognition.title')}>{<NotAllowed />}</Page>
  );
}

function RecognitionScreen() {
  const { t } = useTranslation();
  const mayChange = mayChangeCameras(useUser());
  const [notice, setNotice] = useNotice();
  const query = useQuery(ask('settings', settingsRoutes.read, {}));
  return (
    <Page title={t('recognition.title')} subtitle={t('recognition.subtitle')}>
      <SettingsNav />
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
      <Card title={t('recognition.people')} className="max-w-3xl">
        <QueryView query={query} skeleton={<Skeleton className="h-80" />}>
          {({ recognition, attributes_confirmed_at: confirmedAt = null }) =>
            recognition && (
              <RecognitionForm
                recognition={recognition}
                confirmedAt={confirmedAt}
                onSaved={() => setNotice(t('settings.saved'))}
              />
            )
          }
        </QueryView>
      </Card>
      {mayChange && <ModelsCard />}
    </Page>
  );
}
