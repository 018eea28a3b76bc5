import { useTranslation } from '#lib/i18n.ts';
import type { AccountTabProps } from './account-tab-props.ts';
import { AskingButton } from './asking-button.tsx';
import { fullName, useRemoveFactor } from './queries.ts';

/** Removes a second factor that its user lost: the dialog names all that goes with it. */
export function FactorButton({ user, onDone }: Pick<AccountTabProps, 'user' | 'onDone'>) {
  const { t } = useTranslation();
  const remove = useRemoveFactor(user.id);
  const name = fullName(user);
  return (
    <AskingButton
      look="secondary"
      label={t('users.removeFactor')}
      title={t('users.removeFactorTitle', { name })}
      text={t('users.removeFactorText')}
      deed={remove}
      onConfirm={(onSuccess) => remove.mutate(undefined, { onSuccess })}
      onDone={() => onDone(t('users.factorRemoved', { name }))}
    />
  );
}
