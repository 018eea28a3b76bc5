import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { DeleteAccountDialog } from '#parts/delete-account.tsx';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { Page } from '#parts/page.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { AccountSecurity } from './account-security.tsx';
import { EventList } from './event-list.tsx';
import { ConnectionCard } from './connection-card.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionList } from './session-list.tsx';
import { PasskeysCard } from './two-factor/passkeys-card.tsx';
import { TwoFactorCard } from './two-factor/two-factor-card.tsx';

/** A notice goes after this time (SEC-008). */
const NOTICE_MS = 3000;

export function SecurityPage() {
  const { t } = useTranslation();
  const [deletes, setDeletes] = useState(false);
  const [notice, setNotice] = useNotice();
  return (
    <Page title={t('security.title')} subtitle={t('security.subtitle')}>
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <Card title={t('security.passwords')}>
            <PasswordForm onDone={() => setNotice(t('security.changed'))} />
          </Card>
          <TwoFactorCard onNotice={setNotice} />
          <PasskeysCard onNotice={setNotice} />
          <ConnectionCard onNotice={setNotice} />
        </div>
        <div className="grid gap-4">
          <Card title={t('security.account')}>
            <AccountSecurity onNotice={setNotice} />
          </Card>
          <Card title={t('security.sessions')}>
            <SessionList onEnded={() => setNotice(t('security.ended'))} />
          </Card>
          <EventList />
          <Card title={t('security.danger')}>
            <p className="mb-3 text-ui text-muted">{t('security.dangerText')}</p>
            <Button look="danger" onClick={() => setDeletes(true)}>
              {t('deleteAccount.action')}
            </Button>
          </Card>
        </div>
      </div>
      <DeleteAccountDialog open={deletes} onClose={() => setDeletes(false)} />
    </Page>
  );
}
