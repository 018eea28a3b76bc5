import type { TwoFactorRequired } from '@nazar/contract/accounts.ts';
import { setupRoutes } from '@nazar/contract/setup.ts';
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Problem } from '#api/problem.ts';
import { useAnswer } from '#api/use-answer.ts';
import { installation, secondStep, signIn } from '#api/session.ts';
import { address, queryOf } from '#lib/address.ts';
import { useSignal } from '#lib/signal.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { stored } from '#lib/storage.ts';
import { useDocumentTitle } from '#parts/page.tsx';
import { PlainLink } from '#parts/plain-link.tsx';
import { SignedOutFrame } from '#parts/signed-out-frame.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { PasswordField, TextField } from '#ui/fields.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import type { SecondStepProps } from './second-step.tsx';
import { readLoginQuery, type LoginQuery } from './login-query.ts';
import { SignOnButton, SignOnReturn } from './sign-on.tsx';
import { focusField, useLoginForm } from './use-login-form.ts';

/** Few users are asked for a second step, and none before the password. */
const { Component: SecondStep } = onDemand<SecondStepProps>(
  async () => (await import('./second-step.tsx')).SecondStep,
);

type Refusal = 'login.invalid' | 'login.failed' | 'login.shortForRole' | 'secondStep.expired';

/** Why a sign-in was refused; `shortForRole`: the account became an administrator's after its password was chosen. */
function refusal(error: unknown): Refusal {
  if (!(error instanceof Problem)) return 'login.failed';
  if (error.code === 'password_too_short_for_role') return 'login.shortForRole';
  return error.status === 401 ? 'login.invalid' : 'login.failed';
}

interface NoticesProps {
  query: LoginQuery;
  refused: Refusal | null;
  /** Why a sign-on that the other side proved was refused here. */
  returned: string | null;
}

/** What the page has to say before anything is typed, or after a refusal. */
function Notices({ query, refused, returned }: NoticesProps) {
  const { t } = useTranslation();
  const { registered, passwordSet, signOn } = query;
  if (refused !== null) return <Banner tone="error">{t(refused)}</Banner>;
  return (
    <>
      {registered !== undefined && (
        <Banner tone="success">
          {registered === 'open' ? t('register.done') : t('register.doneApproval')}
        </Banner>
      )}
      {passwordSet === true && <Banner tone="success">{t('recovery.done')}</Banner>}
      {signOn !== undefined && (
        <Banner tone="error">
          {signOn === 'proven' ? returned : t(`signOn.faults.${signOn}`)}
        </Banner>
      )}
    </>
  );
}

interface PasswordFormProps {
  element: RefObject<HTMLFormElement | null>;
  form: ReturnType<typeof useLoginForm>;
  /** What the server does with the session; null: it has not answered yet. */
  limits: { count: number; days: number } | null;
  children: ReactNode;
}

function PasswordForm({ element, form, limits, children }: PasswordFormProps) {
  const { t } = useTranslation();
  const limitsId = useId();
  return (
    <form
      ref={element}
      noValidate
      className="mt-6 grid gap-4"
      onSubmit={(event) => void form.submit(event)}
    >
      {children}
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
        <Checkbox
          label={t('login.remember')}
          aria-describedby={limits === null ? undefined : limitsId}
          {...form.remember}
        />
        <PlainLink to="/forgot-password" className={buttonClass('link')}>
          {t('login.forgot')}
        </PlainLink>
        {limits !== null && (
          <p id={limitsId} className="basis-full text-meta text-muted">
            {t(form.isRemembered ? 'login.remembered' : 'login.notRemembered', limits)}
          </p>
        )}
      </div>
      <Button type="submit" size="large" busy={form.busy} className="mt-1 w-full">
        {form.busy ? t('login.submitting') : t('login.submit')}
      </Button>
    </form>
  );
}

function SignInCard({ children }: { children: ReactNode }) {
  return (
    <SignedOutFrame>
      <div className="card p-6 sm:p-8">{children}</div>
    </SignedOutFrame>
  );
}

export function LoginPage() {
  const { t } = useTranslation();
  useDocumentTitle(t('login.title'));
  const query = readLoginQuery(queryOf(useSignal(address)));
  // What the start has asked stands at once; nothing moves when the newer answer says the same.
  const state = useAnswer(setupRoutes.state, {}) ?? installation.get();
  const limits = state && {
    count: state.session_limits.inactive_minutes,
    days: state.session_limits.days,
  };
  const mayRegister = state !== null && state.registration !== 'closed';
  const [refused, setRefused] = useState<Refusal | null>(null);
  const [second, setSecond] = useState<TwoFactorRequired | null>(secondStep.get);
  useEffect(() => secondStep.set(null), []);
  const [returned, setReturned] = useState<string | null>(null);
  const element = useRef<HTMLFormElement>(null);
  const form = useLoginForm(
    element,
    stored('remember-me') === 'true',
    async ({ email, password, remember }) => {
      setRefused(null);
      try {
        const required = await signIn(email, password, remember);
        if (required) setSecond(required);
      } catch (error) {
        setRefused(refusal(error));
        focusField(element, 'password');
      }
    },
  );
  const backToPassword = (why: Refusal | null): void => {
    setSecond(null);
    setRefused(why);
  };
  if (second !== null) {
    return (
      <SignInCard>
        <SecondStep
          required={second}
          onExpired={() => backToPassword('secondStep.expired')}
          onBack={() => backToPassword(null)}
        />
      </SignInCard>
    );
  }
  const title = <h1 className="text-title font-semibold tracking-tight">{t('login.title')}</h1>;
  if (query.signOn === 'proven' && returned === null) {
    return (
      <SignInCard>
        {title}
        <SignOnReturn onSecondStep={setSecond} onRefused={setReturned} />
      </SignInCard>
    );
  }
  return (
    <SignInCard>
      {title}
      <p className="mt-1 text-ui text-muted">{t('login.subtitle')}</p>
      <PasswordForm element={element} form={form} limits={limits}>
        <Notices query={query} refused={refused} returned={returned} />
      </PasswordForm>
      <PasskeyButton remember={() => form.isRemembered} />
      {typeof state?.sign_on === 'string' && (
        <SignOnButton name={state.sign_on} remember={() => form.isRemembered} />
      )}
      {mayRegister && (
        <p className="mt-6 flex flex-wrap items-center justify-center gap-x-2 text-ui text-muted">
          {t('login.noAccount')}
          <PlainLink to="/register" className={buttonClass('link')}>
            {t('login.signUp')}
          </PlainLink>
        </p>
      )}
    </SignInCard>
  );
}
