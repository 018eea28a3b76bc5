import { CodeProof, Prove } from '@nazar/contract/two-factor.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/mini';
import { passkeyObstacle, showAsProof } from '#api/passkeys.ts';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Actions } from '#ui/dialog.tsx';
import { Field } from '#ui/field.tsx';
import { Input } from '#ui/input.tsx';
import { PasswordInput } from '#ui/password-input.tsx';

const Form = z.object({ password: Prove.shape.password, code: CodeProof.shape.code });

export interface ProveFormProps {
  /** What is being done. */
  action: string;
  look: 'primary' | 'danger';
  /** Whether a passkey may be shown in place of the code. */
  hasPasskey: boolean;
  onCancel: () => void;
  onProven: (proof: Prove) => Promise<void>;
}

/** C-109: the password and a code, before something that the second factor protects is changed. */
export function ProveForm({ action, look, hasPasskey, onCancel, onProven }: ProveFormProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(Form, { password: '', code: '' });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (proof) => {
    setRefused(null);
    try {
      await onProven(proof);
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  const withPasskey = async (): Promise<void> => {
    setRefused(null);
    if (!(await form.trigger('password', { shouldFocus: true }))) return;
    try {
      const passkey = await showAsProof();
      if (passkey) await onProven({ password: form.getValues('password'), passkey });
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  };
  const offersPasskey = hasPasskey && passkeyObstacle() === null;

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <Field label={t('deleteAccount.password')} error={errors.password?.message} required>
        {(attributes) => (
          <PasswordInput
            autoComplete="current-password"
            {...attributes}
            {...form.register('password')}
          />
        )}
      </Field>
      <Field
        label={t('twoFactor.anyCode')}
        hint={t('twoFactor.anyCodeHint')}
        error={errors.code?.message}
        required
      >
        {(attributes) => (
          <Input
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            {...attributes}
            {...form.register('code')}
          />
        )}
      </Field>
      {offersPasskey && (
        <Button look="link" className="justify-self-start" onClick={() => void withPasskey()}>
          {t('passkeys.insteadOfCode')}
        </Button>
      )}
      <Actions className="mt-0">
        <Button look="secondary" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit" look={look} busy={isSubmitting}>
          {action}
        </Button>
      </Actions>
    </form>
  );
}
