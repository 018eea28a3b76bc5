import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { Page } from '#parts/page.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { SettingsNav } from '#parts/settings-nav.tsx';
import { Card } from '#ui/card.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { EndedAccounts } from './ended-accounts.tsx';
import { ErasureList } from './erasure-list.tsx';
import { PolicyForm } from './policy-form.tsx';
import { policyQuery } from './queries.ts';

const route = getRouteApi('/shell/settings/privacy');
const NOTICE_MS = 5000;

/** Settings > Privacy: how long, on what grounds, and what was erased. */
export function PrivacyPage() {
  const { t } = useTranslation();
  const [notice, setNotice] = useNotice();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const policy = useQuery(policyQuery());
  return (
    <Page title={t('privacy.title')} subtitle={t('privacy.subtitle')}>
      <SettingsNav />
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <Card title={t('privacy.policy')}>
          <QueryView query={policy} skeleton={<Skeleton className="h-80" />}>
            {({ privacy }) => privacy && <PolicyForm policy={privacy} onNotice={setNotice} />}
          </QueryView>
        </Card>
        <div className="grid gap-4">
          <EndedAccounts onNotice={setNotice} />
          <ErasureList
            page={page}
            onPage={(next, replace) =>
              void navigate({ search: next > 1 ? { page: next } : {}, replace: replace === true })
            }
          />
        </div>
      </div>
    </Page>
  );
}
