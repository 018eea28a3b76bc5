import { useTranslation } from '#lib/i18n.ts';
import { PasswordField, TextField } from '#ui/fields.tsx';
import type { FieldBinding } from './use-contract-form.ts';

export interface CameraLoginFieldsProps {
  field: (name: 'username' | 'password') => FieldBinding;
  passwordHint?: string | undefined;
}

/** The login that a camera requires; the browser must not offer the reader's own. */
export function CameraLoginFields({ field, passwordHint }: CameraLoginFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        label={t('camera.username')}
        autoComplete="off"
        autoCapitalize="none"
        {...field('username')}
      />
      <PasswordField
        label={t('camera.password')}
        hint={passwordHint}
        autoComplete="new-password"
        {...field('password')}
      />
    </>
  );
}
