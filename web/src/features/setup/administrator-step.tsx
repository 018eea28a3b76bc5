import { FirstAdministrator, setupRoutes } from '@nazar/contract/setup.ts';
import { useState } from 'react';
import { Controller } from 'react-hook-form';
import { z } from 'zod/mini';
import { call } from '#api/call.ts';
import { beginSession, changePreferences } from '#api/session.ts';
import { currentLanguage, useTranslation } from '#lib/i18n.ts';
import { NameFields } from '#parts/name-fields.tsx';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { ChoiceCards } from '#ui/choice-cards.tsx';
import { PasswordField, TextField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { StepHead } from './step-head.tsx';

/** What the server asks of administrators (architecture: 12 for admin and superadmin). */
const PRIVILEGED_PASSWORD_LENGTH = 12;

const Administrator = z.extend(FirstAdministrator, {
  password: z.string().check(z.minLength(PRIVILEGED_PASSWORD_LENGTH), z.maxLength(512)),
});

const policies = ['open', 'approval', 'closed'] as const;

export interface AdministratorStepProps {
  /** From the console's link; '' asks for it. */
  code: string;
  onBack: () => void;
  onDone: () => void;
}

export function AdministratorStep({ code, onBack, onDone }: AdministratorStepProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(Administrator, {
    code,
    first_name: '',
    last_name: '',
    email: '',
    password: '',
    registration: 'open',
  });
  const { errors, isSubmitting } = form.formState;
  // A code that came by the link is only shown when the server refuses it.
  const asksCode = code === '' || errors.code !== undefined || refused !== null;

  const submit = form.handleSubmit(async (values) => {
    setRefused(null);
    try {
      await beginSession(await call(setupRoutes.administrator, { body: values }));
      await changePreferences({ language: currentLanguage() });
      onDone();
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <StepHead title={t('setup.administrator')} text={t('setup.administratorText')} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {refused !== null && (
          <div className="sm:col-span-2">
            <Banner tone="error">{refused}</Banner>
          </div>
        )}
        {asksCode && (
          <TextField
            label={t('setup.code')}
            hint={t('setup.codeHint')}
            required
            className="sm:col-span-2"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.field('code')}
          />
        )}
        <NameFields field={form.field} own />
        <TextField
          label={t('login.email')}
          required
          className="sm:col-span-2"
          type="email"
          autoComplete="username"
          {...form.field('email')}
        />
        <PasswordField
          label={t('login.password')}
          hint={t('setup.passwordHint', { min: PRIVILEGED_PASSWORD_LENGTH })}
          required
          className="sm:col-span-2"
          autoComplete="new-password"
          {...form.field('password')}
        />
        <div className="sm:col-span-2">
          <Controller
            control={form.control}
            name="registration"
            render={({ field }) => (
              <ChoiceCards
                label={t('setup.registration')}
                name={field.name}
                value={field.value ?? 'open'}
                onChange={field.onChange}
                options={policies.map((policy) => ({
                  value: policy,
                  label: t(`setup.policy.${policy}`),
                  text: t(`setup.policyText.${policy}`),
                }))}
              />
            )}
          />
        </div>
      </div>
      <FormActions
        label={t('setup.createAdministrator')}
        busy={isSubmitting}
        onCancel={onBack}
        cancelLabel={t('setup.back')}
      />
    </form>
  );
}
