import { ConfirmReset, recoveryRoutes } from '@nazar/contract/recovery.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { z } from 'zod/mini';
import { call } from '#api/call.ts';
import { Problem } from '#api/problem.ts';
import { session, signInWithNewPassword, startSession } from '#api/session.ts';
import { address, go, queryOf } from '#lib/address.ts';
import { useSignal } from '#lib/signal.ts';
import { useDocumentTitle } from '#parts/page.tsx';
import { SignedOutFrame } from '#parts/signed-out-frame.tsx';
import { PlainLink } from '#parts/plain-link.tsx';
import { NewPasswordFields } from '#parts/new-password-fields.tsx';
import { Repetition } from '#parts/repetition.ts';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { forgetLink, keptLink, type ResetLink } from './link.ts';

/** For users who forgot their password, and for invited users who choose their first one. */
export function ResetPage() {
  const { t } = useTranslation();
  const reason = queryOf(useSignal(address)).get('for');
  const [link] = useState(keptLink);
  const [isDead, setDead] = useState(link === null);
  const title = reason === 'invitation' ? t('recovery.welcome') : t('recovery.resetTitle');
  useDocumentTitle(title);
  return (
    <SignedOutFrame>
      <div className="card p-6 sm:p-8">
        <h1 className="text-title font-semibold tracking-tight">{title}</h1>
        {isDead || link === null ? (
          <DeadLink wasOpened={link !== null} />
        ) : (
          <>
            <p className="mt-1 text-ui text-muted">
              {reason === 'invitation' ? t('recovery.welcomeText') : t('recovery.resetText')}
            </p>
            <ResetForm link={link} onDead={() => setDead(true)} />
          </>
        )}
      </div>
    </SignedOutFrame>
  );
}

/** Used, too old, or gone with a reload. */
function DeadLink({ wasOpened }: { wasOpened: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="mt-4 grid gap-4">
      <Banner tone="error">{wasOpened ? t('recovery.dead') : t('recovery.openAgain')}</Banner>
      <PlainLink to="/forgot-password" className={buttonClass('link')}>
        {t('recovery.askAgain')}
      </PlainLink>
    </div>
  );
}

/** The password is set, whatever comes now: who can't be let in at once signs in with it. */
async function enter(email: string, password: string): Promise<void> {
  try {
    const isIn = await signInWithNewPassword(email, password);
    go(isIn ? '/' : '/login', { replace: true });
  } catch {
    if (session.get().kind === 'in') await startSession();
    go('/login?passwordSet=true', { replace: true });
  }
}

const Form = z.extend(z.pick(ConfirmReset, { new_password: true }), { confirm: Repetition });

function ResetForm({ link, onDead }: { link: ResetLink; onDead: () => void }) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(Form, { new_password: '', confirm: '' });
  const { isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ new_password, confirm }) => {
    setRefused(null);
    if (new_password !== confirm) {
      form.setError('confirm', { message: t('security.differ') }, { shouldFocus: true });
      return;
    }
    try {
      const { email } = await call(recoveryRoutes.confirm, { body: { ...link, new_password } });
      forgetLink();
      await enter(email, new_password);
    } catch (error) {
      if (error instanceof Problem && error.code === 'link_invalid') onDead();
      else setRefused(showProblem(form, error));
    }
  });
  return (
    <form noValidate className="mt-6 grid gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <NewPasswordFields
        label={t('security.new')}
        hint={t('recovery.passwordHint')}
        password={form.field('new_password')}
        repetitionLabel={t('security.confirm')}
        repetition={form.field('confirm')}
      />
      <Button type="submit" size="large" busy={isSubmitting} className="w-full">
        {isSubmitting ? t('recovery.setting') : t('recovery.set')}
      </Button>
    </form>
  );
}
