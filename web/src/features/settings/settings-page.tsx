import { settingsRoutes } from '@nazar/contract/settings.ts';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useTranslation } from '#lib/i18n.ts';
import { mayReadSecuritySettings, settingsOf } from '#api/rights.ts';
import { ask } from '#api/query.ts';
import { useUser } from '#api/session.ts';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { Page } from '#parts/page.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { SettingsNav } from '#parts/settings-nav.tsx';
import { Card } from '#ui/card.tsx';
import { NotAllowed } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { SecuritySection } from './security-section.tsx';

const NOTICE_MS = 3000;

/** The security settings for everyone; who may not read them is led to the first section that is theirs. */
export function SettingsPage() {
  const me = useUser();
  return mayReadSecuritySettings(me) ? (
    <SettingsScreen />
  ) : (
    <Navigate to={settingsOf(me)} replace />
  );
}

function SettingsScreen() {
  const { t } = useTranslation();
  const [notice, setNotice] = useNotice();
  const query = useQuery(ask('settings', settingsRoutes.read, {}));
  return (
    <Page title={t('settings.title')} subtitle={t('settings.subtitle')}>
      <SettingsNav />
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
      <Card title={t('settings.security')} className="max-w-3xl">
        <QueryView query={query} skeleton={<Skeleton className="h-72" />}>
          {({ security }) =>
            security === undefined ? (
              <NotAllowed />
            ) : (
              <SecuritySection security={security} onSaved={() => setNotice(t('settings.saved'))} />
            )
          }
        </QueryView>
      </Card>
    </Page>
  );
}
