import { Login, type TwoFactorRequired } from '@nazar/contract/accounts.ts';
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
import { PasswordField, TextField } from '#ui/fields.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { SecondStep } from './second-step.tsx';
import { SignOnButton, SignOnReturn } from './sign-on.tsx';

type Refusal = 'login.invalid' | 'login.failed' | 'login.shortForRole' | 'secondStep.expired';

/** SES-013, SES-014; CFL-050: the account has become an administrator's since its password was chosen. */
function refusal(error: unknown): Refusal {
  if (!(error instanceof Problem)) return 'login.failed';
  if (error.code === 'password_too_short_for_role') return 'login.shortForRole';
  return error.status === 401 ? 'login.invalid' : 'login.failed';
}

export function LoginPage() {
  const { t } = useTranslation();
  useDocumentTitle(t('login.title'));
  const navigate = useNavigate();
  const { registered, passwordSet, signOn } = useSearch({ from: '/login' });
  const state = useQuery(ask('system', setupRoutes.state, {}));
  const mayRegister = state.data !== undefined && state.data.registration !== 'closed';
  const [refused, setRefused] = useState<Refusal | null>(null);
  const [second, setSecond] = useState<TwoFactorRequired | null>(null);
  const [returned, setReturned] = useState<string | null>(null);
  const form = useContractForm(Login, {
    email: '',
    password: '',
    remember: stored('remember-me') === 'true',
  });
  const { isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ email, password, remember }) => {
    setRefused(null);
    try {
      const required = await signIn(email, password, remember);
      if (required) setSecond(required);
      else await navigate({ to: '/', replace: true });
    } catch (error) {
      setRefused(refusal(error));
      form.setFocus('password');
    }
  });

  const backToPassword = (why: Refusal | null): void => {
    setSecond(null);
    setRefused(why);
    form.resetField('password');
  };
  if (second !== null) {
    return (
      <SignedOutFrame>
        <div className="card p-6 sm:p-8">
          <SecondStep
            required={second}
            onExpired={() => backToPassword('secondStep.expired')}
            onBack={() => backToPassword(null)}
          />
        </div>
      </SignedOutFrame>
    );
  }

  if (signOn === 'proven' && returned === null) {
    return (
      <SignedOutFrame>
        <div className="card p-6 sm:p-8">
          <h1 className="text-title font-semibold tracking-tight">{t('login.title')}</h1>
          <SignOnReturn onSecondStep={setSecond} onRefused={setReturned} />
        </div>
      </SignedOutFrame>
    );
  }

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
          {refused === null && passwordSet === true && (
            <Banner tone="success">{t('recovery.done')}</Banner>
          )}
          {refused === null && signOn !== undefined && (
            <Banner tone="error">
              {signOn === 'proven' ? returned : t(`signOn.faults.${signOn}`)}
            </Banner>
          )}
          {refused !== null && <Banner tone="error">{t(refused)}</Banner>}
          <TextField
            label={t('login.email')}
            required
            type="email"
            autoComplete="username"
            inputMode="email"
            {...form.field('email')}
          />
          <PasswordField
            label={t('login.password')}
            required
            autoComplete="current-password"
            {...form.field('password')}
          />
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <Checkbox label={t('login.remember')} {...form.register('remember')} />
            <Link to="/forgot-password" className={buttonClass('link')}>
              {t('login.forgot')}
            </Link>
          </div>
          <Button type="submit" size="large" busy={isSubmitting} className="mt-1 w-full">
            {isSubmitting ? t('login.submitting') : t('login.submit')}
          </Button>
        </form>
        <PasskeyButton remember={() => form.getValues('remember') ?? false} />
        {typeof state.data?.sign_on === 'string' && (
          <SignOnButton
            name={state.data.sign_on}
            remember={() => form.getValues('remember') === true}
          />
        )}
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
