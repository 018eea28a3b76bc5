/** Settings > Webhooks: programs that are sent what happens to alerts, and what became of it. */
import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { mayChangeWebhooks } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { Page } from '#parts/page.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { SettingsNav } from '#parts/settings-nav.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { NotAllowed } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { DeleteWebhook } from './delete-webhook.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { webhooksQuery } from './queries.ts';
import type { SecretDialogProps } from './secret-dialog.tsx';
import type { TestDialogProps } from './test-dialog.tsx';
import type { WebhookDialogProps } from './webhook-dialog.tsx';
import { WebhookList, type Open } from './webhook-list.tsx';

const route = getRouteApi('/shell/settings/webhooks');
const NOTICE_MS = 4000;

const { Component: WebhookDialog } = onDemand<WebhookDialogProps>(
  async () => (await import('./webhook-dialog.tsx')).WebhookDialog,
);
const { Component: SecretDialog } = onDemand<SecretDialogProps>(
  async () => (await import('./secret-dialog.tsx')).SecretDialog,
);
const { Component: TestDialog } = onDemand<TestDialogProps>(
  async () => (await import('./test-dialog.tsx')).TestDialog,
);

export function WebhooksPage() {
  const { t } = useTranslation();
  return mayChangeWebhooks(useUser()) ? (
    <WebhooksScreen />
  ) : (
    <Page title={t('webhooks.title')}>
      <NotAllowed />
    </Page>
  );
}

function WebhooksScreen() {
  const { t } = useTranslation();
  const [notice, setNotice] = useNotice();
  const [open, setOpen] = useState<Open | null>(null);
  const query = useQuery(webhooksQuery());
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={t('webhooks.title')}
      subtitle={t('webhooks.subtitle')}
      actions={
        <Button onClick={() => setOpen({ what: 'add' })}>
          <Plus aria-hidden />
          {t('webhooks.add')}
        </Button>
      }
    >
      <SettingsNav />
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
      <StaleNote queries={[query]} />
      <Card>
        <p className="mb-2 text-ui text-muted">{t('webhooks.text')}</p>
        <QueryView
          query={query}
          failedTitle={t('webhooks.failed')}
          skeleton={<Skeleton className="h-32" />}
        >
          {({ results }) => (
            <WebhookList webhooks={results} onOpen={setOpen} onNotice={setNotice} />
          )}
        </QueryView>
      </Card>
      <DeliveryLog
        webhooks={query.data?.results ?? []}
        search={search}
        onShow={(next, replace = false) => void navigate({ search: next, replace })}
      />
      <Dialogs open={open} onClose={() => setOpen(null)} onNotice={setNotice} />
    </Page>
  );
}

interface DialogsProps {
  open: Open | null;
  onClose: () => void;
  onNotice: (text: string) => void;
}

function Dialogs({ open, onClose, onNotice }: DialogsProps) {
  if (open === null) return null;
  if (open.what === 'add') return <WebhookDialog webhook={null} {...{ onClose, onNotice }} />;
  const { webhook } = open;
  switch (open.what) {
    case 'edit':
      return <WebhookDialog {...{ webhook, onClose, onNotice }} />;
    case 'test':
      return <TestDialog {...{ webhook, onClose }} />;
    case 'secret':
      return <SecretDialog {...{ webhook, onClose }} />;
    case 'delete':
      return <DeleteWebhook {...{ webhook, onClose, onNotice }} />;
    default:
      return open satisfies never;
  }
}
