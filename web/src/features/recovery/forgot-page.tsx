import { AskForReset, recoveryRoutes } from '@nazar/contract/recovery.ts';
import { setupRoutes } from '@nazar/contract/setup.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { ask } from '#api/query.ts';
import { useDocumentTitle } from '#parts/page.tsx';
import { OwnQueries } from '#parts/own-queries.tsx';
import { PlainLink } from '#parts/plain-link.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { SignedOutFrame } from '#parts/signed-out-frame.tsx';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { TextField } from '#ui/fields.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** A letter with a link, where this installation sends letters; else whom to ask. */
export function ForgotPage() {
  return (
    <OwnQueries>
      <Forgot />
    </OwnQueries>
  );
}

function Forgot() {
  const { t } = useTranslation();
  useDocumentTitle(t('recovery.title'));
  const state = useQuery(ask('system', setupRoutes.state, {}));
  return (
    <SignedOutFrame>
      <div className="card p-6 sm:p-8">
        <h1 className="text-title font-semibold tracking-tight">{t('recovery.title')}</h1>
        <QueryView query={state} skeleton={<Skeleton className="mt-4 h-32" />}>
          {({ mail_available: byMail }) =>
            byMail ? <AskForm /> : <p className="mt-3 text-ui">{t('recovery.askAdministrator')}</p>
          }
        </QueryView>
        <p className="mt-6 text-center">
          <PlainLink to="/login" className={buttonClass('link')}>
            {t('recovery.back')}
          </PlainLink>
        </p>
      </div>
    </SignedOutFrame>
  );
}

function AskForm() {
  const { t } = useTranslation();
  const [sent, setSent] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(AskForReset, { email: '' });
  const { isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (body) => {
    setRefused(null);
    try {
      await call(recoveryRoutes.ask, { body });
      setSent(true);
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  if (sent) {
    return (
      <div className="mt-4">
        <Banner tone="success">{t('recovery.sent')}</Banner>
      </div>
    );
  }
  return (
    <>
      <p className="mt-1 text-ui text-muted">{t('recovery.subtitle')}</p>
      <form noValidate className="mt-6 grid gap-4" onSubmit={(event) => void submit(event)}>
        {refused !== null && <Banner tone="error">{refused}</Banner>}
        <TextField
          label={t('login.email')}
          required
          type="email"
          autoComplete="username"
          inputMode="email"
          {...form.field('email')}
        />
        <Button type="submit" size="large" busy={isSubmitting} className="w-full">
          {isSubmitting ? t('recovery.sending') : t('recovery.send')}
        </Button>
      </form>
    </>
  );
}
