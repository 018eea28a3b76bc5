import { ChangePassword, ownAccountRoutes } from '@nazar/contract/own-account.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { z } from 'zod/mini';
import { call } from '#api/call.ts';
import { refresh } from '#api/query.ts';
import { useUser } from '#api/session.ts';
import { atLeast } from '#lib/at-least.ts';
import { proofWaysQuery } from '#parts/use-fresh-proof.ts';
import { NewPasswordFields } from '#parts/new-password-fields.tsx';
import { Repetition } from '#parts/repetition.ts';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { PasswordField } from '#ui/fields.tsx';

const MIN_LENGTH = 8;
/** SEC-008: shorter, and the user doesn't see that something was done. */
const MIN_BUSY_MS = 1500;

const Form = z.extend(ChangePassword, { confirm: Repetition });
const empty = { old_password: '', new_password: '', confirm: '' };

/** Changes the password; a user who signs in without one reads that they have none. */
export function PasswordForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const ways = useQuery(proofWaysQuery);
  if (ways.data?.password === false) {
    return <p className="text-ui text-muted">{t('security.noPassword')}</p>;
  }
  return <ChangeForm onDone={onDone} />;
}

function ChangeForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const user = useUser();
  const client = useQueryClient();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(Form, empty);
  const { isSubmitting } = form.formState;
  const isPrivileged = user.role === 'admin' || user.role === 'superadmin';

  const submit = form.handleSubmit(async ({ confirm, ...body }) => {
    setRefused(null);
    if (body.new_password.length < MIN_LENGTH) {
      form.refuse('new_password', t('security.tooShort'));
      return;
    }
    if (body.new_password !== confirm) {
      form.setError('confirm', { message: t('security.differ') }, { shouldFocus: true });
      return;
    }
    try {
      await atLeast(MIN_BUSY_MS, call(ownAccountRoutes.changePassword, { body }));
      form.reset(empty);
      onDone();
      await refresh(client, 'account');
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <PasswordField
        label={t('security.current')}
        required
        autoComplete="current-password"
        {...form.field('old_password')}
      />
      <NewPasswordFields
        label={t('security.new')}
        hint={isPrivileged ? t('security.privileged') : t('register.passwordHint')}
        password={form.field('new_password')}
        repetitionLabel={t('security.confirm')}
        repetition={form.field('confirm')}
      />
      <Button type="submit" busy={isSubmitting} className="justify-self-start">
        {isSubmitting ? t('security.changing') : t('security.change')}
      </Button>
    </form>
  );
}
