import { settingsRoutes } from '@nazar/contract/settings.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { mayReadSecuritySettings } from '#api/rights.ts';
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

/** The sections there are; for now the security settings for everyone. */
export function SettingsPage() {
  const { t } = useTranslation();
  return mayReadSecuritySettings(useUser()) ? (
    <SettingsScreen />
  ) : (
    <Page title={t('settings.title')}>{<NotAllowed />}</Page>
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
