import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DeleteAccountDialog } from '#parts/delete-account.tsx';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { Page } from '#parts/page.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionList } from './session-list.tsx';

/** SEC-008. */
const NOTICE_MS = 3000;

export function SecurityPage() {
  const { t } = useTranslation();
  const [deletes, setDeletes] = useState(false);
  const [notice, setNotice] = useNotice();
  return (
    <Page title={t('security.title')} subtitle={t('security.subtitle')}>
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title={t('security.passwords')}>
          <PasswordForm onDone={() => setNotice(t('security.changed'))} />
        </Card>
        <div className="grid gap-4">
          <Card title={t('security.account')}>
            <SessionList onEnded={() => setNotice(t('security.ended'))} />
          </Card>
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
