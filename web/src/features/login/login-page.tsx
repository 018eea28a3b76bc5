import { Login } from '@nazar/contract/accounts.ts';
import { setupRoutes } from '@nazar/contract/setup.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from '#api/problem.ts';
import { ask } from '#api/query.ts';
import { signIn } from '#api/session.ts';
import { stored } from '#lib/storage.ts';
import { useDocumentTitle } from '#parts/page.tsx';
import { SignedOutFrame } from '#parts/signed-out-frame.tsx';
import { useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Field } from '#ui/field.tsx';
import { Input } from '#ui/input.tsx';
import { PasswordInput } from '#ui/password-input.tsx';

type Refusal = 'login.invalid' | 'login.failed';

/** SES-013, SES-014. */
const refusal = (error: unknown): Refusal =>
  error instanceof Problem && error.status === 401 ? 'login.invalid' : 'login.failed';

export function LoginPage() {
  const { t } = useTranslation();
  useDocumentTitle(t('login.title'));
  const navigate = useNavigate();
  const { registered } = useSearch({ from: '/login' });
  const state = useQuery(ask('system', setupRoutes.state, {}));
  const mayRegister = state.data !== undefined && state.data.registration !== 'closed';
  const [refused, setRefused] = useState<Refusal | null>(null);
  const form = useContractForm(Login, {
    email: '',
    password: '',
    remember: stored('remember-me') === 'true',
  });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ email, password, remember }) => {
    setRefused(null);
    try {
      await signIn(email, password, remember);
      await navigate({ to: '/', replace: true });
    } catch (error) {
      setRefused(refusal(error));
      form.setFocus('password');
    }
  });

  return (
    <SignedOutFrame>
      <div className="card p-6 sm:p-8">
        <h1 className="text-title font-semibold tracking-tight">{t('login.title')}</h1>
        <p className="mt-1 text-ui text-muted">{t('login.subtitle')}</p>
        <form noValidate className="mt-6 grid gap-4" onSubmit={(event) => void submit(event)}>
          {refused === null && registered !== undefined && (
            <Banner tone="success">
              {registered === 'open' ? t('register.done') : t('register.doneApproval')}
            </Banner>
          )}
          {refused !== null && <Banner tone="error">{t(refused)}</Banner>}
          <Field label={t('login.email')} error={errors.email?.message} required>
            {(attributes) => (
              <Input
                type="email"
                autoComplete="username"
                inputMode="email"
                {...attributes}
                {...form.register('email')}
              />
            )}
          </Field>
          <Field label={t('login.password')} error={errors.password?.message} required>
            {(attributes) => (
              <PasswordInput
                autoComplete="current-password"
                {...attributes}
                {...form.register('password')}
              />
            )}
          </Field>
          <Checkbox label={t('login.remember')} {...form.register('remember')} />
          <Button type="submit" size="large" busy={isSubmitting} className="mt-1 w-full">
            {isSubmitting ? t('login.submitting') : t('login.submit')}
          </Button>
        </form>
        {mayRegister && (
          <p className="mt-6 flex flex-wrap items-center justify-center gap-x-2 text-ui text-muted">
            {t('login.noAccount')}
            <Link to="/register" className={buttonClass('link')}>
              {t('login.signUp')}
            </Link>
          </p>
        )}
      </div>
    </SignedOutFrame>
  );
}
