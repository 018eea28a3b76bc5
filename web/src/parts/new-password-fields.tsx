import { PasswordField } from '#ui/fields.tsx';
import type { FieldBinding } from './use-contract-form.ts';

export interface NewPasswordFieldsProps {
  label: string;
  /** What the server asks of the password. */
  hint: string;
  repetitionLabel: string;
  password: FieldBinding;
  repetition: FieldBinding;
}

/** A password that is chosen, and once more, because users don't see what they type. */
export function NewPasswordFields({
  label,
  hint,
  repetitionLabel,
  password,
  repetition,
}: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField label={label} hint={hint} required autoComplete="new-password" {...password} />
      <PasswordField label={repetitionLabel} required autoComplete="new-password" {...repetition} />
    </>
  );
}
