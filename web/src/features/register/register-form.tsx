import { Registration, ownAccountRoutes } from '@nazar/contract/own-account.ts';
import { useState } from 'react';
import { z } from 'zod/mini';
import { call } from '#api/call.ts';
import { Problem } from '#api/problem.ts';
import { go } from '#lib/address.ts';
import { translate, useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { NameFields } from '#parts/name-fields.tsx';
import { NewPasswordFields } from '#parts/new-password-fields.tsx';
import { useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { TextField } from '#ui/fields.tsx';
import { TermsDialog } from './terms-dialog.tsx';

/** SES-036, CFL-050: registration makes ordinary users. */
const PASSWORD_LENGTH = 8;

const Form = z.extend(Registration, {
  password: z.string().check(z.minLength(PASSWORD_LENGTH), z.maxLength(512)),
  terms: z.boolean(),
});

const labels = {
  first_name: 'person.firstName',
  last_name: 'person.lastName',
  email: 'login.email',
  password: 'login.password',
  password2: 'register.confirm',
} as const;
const isField = (name: string): name is keyof typeof labels => name in labels;

/** A line for each field that was refused. */
function linesOf(error: unknown): string[] {
  if (!(error instanceof Problem) || error.status === 0) return [translate('register.failed')];
  const lines = Object.entries(error.fields).map(([name, messages]) =>
    translate('register.line', {
      field: isField(name) ? translate(labels[name]) : name,
      messages: joined(messages, ', '),
    }),
  );
  if (error.detail !== '') lines.unshift(error.detail);
  return lines.length > 0 ? lines : [translate('register.failed')];
}

export function RegisterForm({ policy }: { policy: 'open' | 'approval' }) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string[]>([]);
  const [readsTerms, setReadsTerms] = useState(false);
  const form = useContractForm(Form, {
    first_name: '',
    last_name: '',
    email: '',
    password: '',
    password2: '',
    terms: false,
  });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ terms, ...body }) => {
    setRefused([]);
    if (body.password !== body.password2) {
      form.setError('password2', { message: t('register.passwordsDiffer') }, { shouldFocus: true });
      return;
    }
    if (!terms) {
      form.refuse('terms', translate('problem:field.required'));
      return;
    }
    try {
      await call(ownAccountRoutes.register, { body });
      go(`/login?registered=${policy}`);
    } catch (error) {
      setRefused(linesOf(error));
    }
  });

  return (
    <form
      noValidate
      className="mt-6 grid grid-cols-1 gap-4 sm:grid-cols-2"
      onSubmit={(event) => void submit(event)}
    >
      {refused.length > 0 && (
        <div className="sm:col-span-2">
          <Banner tone="error">
            {refused.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </Banner>
        </div>
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
      <NewPasswordFields
        label={t('login.password')}
        hint={t('register.passwordHint')}
        password={form.field('password')}
        repetitionLabel={t('register.confirm')}
        repetition={form.field('password2')}
      />
      <div className="grid justify-items-start gap-1 sm:col-span-2">
        <Checkbox
          label={t('register.agree')}
          hint={
            errors.terms?.message !== undefined && (
              <span className="text-danger-text">{errors.terms.message}</span>
            )
          }
          aria-required
          aria-invalid={errors.terms !== undefined}
          {...form.register('terms')}
        />
        <Button look="link" onClick={() => setReadsTerms(true)}>
          {t('register.readTerms')}
        </Button>
      </div>
      <Button type="submit" size="large" busy={isSubmitting} className="w-full sm:col-span-2">
        {isSubmitting ? t('register.submitting') : t('register.submit')}
      </Button>
      <TermsDialog
        open={readsTerms}
        onClose={() => setReadsTerms(false)}
        onAccept={() => {
          form.setValue('terms', true, { shouldValidate: true });
          setReadsTerms(false);
        }}
      />
    </form>
  );
}
