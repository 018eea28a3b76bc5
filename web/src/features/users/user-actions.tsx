import type { OneTimeLink } from '@nazar/contract/recovery.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { useFormat } from '#lib/format.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import type { AccountTabProps } from './account-tab-props.ts';
import { AskingButton } from './asking-button.tsx';
import { FactorButton } from './factor-button.tsx';
import { LinkBox } from './link-box.tsx';
import { fullName, useChangeUser, useRemoveUser, useResetLink, useUnlock } from './queries.ts';

/** What is done for a user, and to them. */
export function UserActions({ user, onClose, onDone }: AccountTabProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const name = fullName(user);
  const [link, setLink] = useState<OneTimeLink | null>(null);
  const reset = useResetLink(user.id);
  const unlock = useUnlock(user.id);
  const change = useChangeUser(user.id);
  const failed = [reset, unlock, change].find(({ isError }) => isError);
  const enable = (): void =>
    change.mutate(
      { is_active: true },
      { onSuccess: () => onDone(t('users.wasEnabled', { name })) },
    );
  return (
    <>
      {failed && <Banner tone="error">{problemSentence(failed.error)}</Banner>}
      <section className="grid gap-3 border-t border-line pt-4">
        <h3 className="text-ui font-semibold">{t('users.access')}</h3>
        {user.locked_until !== null && (
          <Banner
            tone="info"
            action={
              <Button
                look="secondary"
                size="small"
                busy={unlock.isPending}
                onClick={() =>
                  unlock.mutate(undefined, {
                    onSuccess: () => onDone(t('users.wasUnlocked', { name })),
                  })
                }
              >
                {t('users.unlock')}
              </Button>
            }
          >
            {t('users.locked', { time: formatTime(user.locked_until) })}
          </Banner>
        )}
        {link !== null && <LinkBox link={link} email={user.email} />}
        <p className="text-ui text-muted">{t('users.resetText')}</p>
        <div className="flex flex-wrap gap-2">
          <Button
            look="secondary"
            busy={reset.isPending}
            onClick={() => reset.mutate(undefined, { onSuccess: setLink })}
          >
            {user.has_password ? t('users.reset') : t('users.inviteAgain')}
          </Button>
          {user.two_factor && <FactorButton user={user} onDone={onDone} />}
          {user.is_active ? (
            <DisableButton user={user} onClose={onClose} onDone={onDone} />
          ) : (
            <Button look="secondary" busy={change.isPending} onClick={enable}>
              {t('users.enable')}
            </Button>
          )}
          <DeleteButton user={user} onClose={onClose} onDone={onDone} />
        </div>
      </section>
    </>
  );
}

function DisableButton({ user, onDone }: AccountTabProps) {
  const { t } = useTranslation();
  const change = useChangeUser(user.id);
  const name = fullName(user);
  return (
    <AskingButton
      look="secondary"
      label={t('users.disable')}
      title={t('users.disableTitle', { name })}
      text={t('users.disableText')}
      deed={change}
      onConfirm={(onSuccess) => change.mutate({ is_active: false }, { onSuccess })}
      onDone={() => onDone(t('users.wasDisabled', { name }))}
    />
  );
}

function DeleteButton({ user, onClose, onDone }: AccountTabProps) {
  const { t } = useTranslation();
  const remove = useRemoveUser(user.id);
  const name = fullName(user);
  return (
    <AskingButton
      look="danger"
      label={t('users.delete')}
      title={t('users.deleteTitle', { name })}
      text={t('users.deleteText')}
      deed={remove}
      onConfirm={(onSuccess) => remove.mutate(undefined, { onSuccess })}
      onDone={() => {
        onClose();
        onDone(t('users.wasDeleted', { name }));
      }}
    />
  );
}
