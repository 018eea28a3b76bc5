import { accountRoutes } from '@nazar/contract/accounts.ts';
import { Link } from '@tanstack/react-router';
import { KeyRound, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { showUser, useUser } from '#api/session.ts';
import { DeleteAccountDialog } from '#parts/delete-account.tsx';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { Page } from '#parts/page.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { OwnActivity } from './own-activity.tsx';
import { ProfileFacts } from './profile-facts.tsx';
import { ProfileForm, profileFormId } from './profile-form.tsx';
import { ProfileHead } from './profile-head.tsx';
import { TwoFactorLink } from './two-factor-link.tsx';

/** A notice goes after this time (PRO-011). */
const NOTICE_MS = 3000;

export function ProfilePage() {
  const { t } = useTranslation();
  const user = useUser();
  const [edits, setEdits] = useState(false);
  const [saving, setSaving] = useState(false);
  const [deletes, setDeletes] = useState(false);
  const [notice, setNotice] = useNotice();
  // What is known at once, then what the server says.
  // Not through the cache: an older answer must never come back over a newer one.
  useEffect(() => {
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      try {
        showUser(await call(accountRoutes.me, { signal: stop.signal }));
      } catch {
        // What is known goes on serving.
      }
    };
    void read();
    return () => stop.abort();
  }, []);

  return (
    <Page
      title={t('profile.title')}
      // Two buttons with different keys: one that turned into the other under the click would send the form.
      actions={
        edits ? (
          <Button key="save" type="submit" form={profileFormId} busy={saving}>
            {t('profile.saveProfile')}
          </Button>
        ) : (
          <Button key="edit" onClick={() => setEdits(true)}>
            {t('profile.edit')}
          </Button>
        )
      }
    >
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[20rem_1fr]">
        <div className="grid grid-cols-1 gap-4">
          <ProfileHead user={user} />
          <Card title={t('profile.security')}>
            <div className="grid gap-2">
              <Link to="/security" className={buttonClass('secondary')}>
                <KeyRound aria-hidden />
                {t('profile.changePassword')}
              </Link>
              <TwoFactorLink />
              <Button look="danger" onClick={() => setDeletes(true)}>
                <Trash2 aria-hidden />
                {t('deleteAccount.action')}
              </Button>
            </div>
          </Card>
          <OwnActivity user={user} />
        </div>
        <Card title={t('profile.details')}>
          {edits ? (
            <ProfileForm
              user={user}
              onBusy={setSaving}
              onCancel={() => setEdits(false)}
              onSaved={() => {
                setEdits(false);
                setNotice(t('profile.saved'));
              }}
            />
          ) : (
            <ProfileFacts user={user} />
          )}
        </Card>
      </div>
      <DeleteAccountDialog open={deletes} onClose={() => setDeletes(false)} />
    </Page>
  );
}
