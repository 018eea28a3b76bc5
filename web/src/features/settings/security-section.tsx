import {
  SecuritySettings,
  sessionTimeoutLimits,
  settingsRoutes,
} from '@nazar/contract/settings.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { Problem } from '#api/problem.ts';
import { refresh } from '#api/query.ts';
import { mayChangeSecuritySettings } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { atLeast } from '#lib/at-least.ts';
import { FreshProofFields } from '#parts/fresh-proof-fields.tsx';
import { SignInFrom } from '#parts/sign-in-from.tsx';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { useFreshProof } from '#parts/use-fresh-proof.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { SelectField, TextField } from '#ui/fields.tsx';
import { Switch } from '#ui/switch.tsx';

/** Saving shows for at least this time, so that it is seen (SET-005). */
const MIN_BUSY_MS = 1000;

/** The server names a field by its section, the form by its name. */
function withoutSection(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const fields = Object.entries(error.fields).map(([name, said]) => [
    name.replace(/^security\./, ''),
    said,
  ]);
  return new Problem(error.status, error.code, error.detail, Object.fromEntries(fields), error);
}

export interface SecuritySectionProps {
  security: SecuritySettings;
  onSaved: () => void;
}

/** The policy for everyone, which only a superadministrator changes, with fresh proof. */
export function SecuritySection({ security, onSaved }: SecuritySectionProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayChange = mayChangeSecuritySettings(useUser());
  const [refused, setRefused] = useState<string | null>(null);
  const [locksOut, setLocksOut] = useState(false);
  const [knows, setKnows] = useState(false);
  const form = useContractForm(SecuritySettings, security);
  const proof = useFreshProof();
  const { isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (wanted) => {
    setRefused(null);
    try {
      const shown = await proof.show();
      if (!shown) return;
      const body = { security: wanted, ...shown, confirm_lock_out: knows };
      await atLeast(MIN_BUSY_MS, call(settingsRoutes.update, { body }));
      form.reset(wanted);
      proof.forget();
      setLocksOut(false);
      setKnows(false);
      onSaved();
      await refresh(client, 'settings');
    } catch (error) {
      setLocksOut(error instanceof Problem && error.code === 'address_locked_out');
      if (!proof.refuse(error)) setRefused(showProblem(form, withoutSection(error)));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      {!mayChange && <Banner tone="info">{t('settings.readOnly')}</Banner>}
      <fieldset disabled={!mayChange} className="mt-4 grid gap-4">
        <legend className="sr-only">{t('settings.security')}</legend>
        <Switch
          label={t('settings.twoFactor')}
          hint={t('settings.twoFactorHint')}
          {...form.register('twoFactorAuth')}
        />
        <SelectField
          label={t('settings.twoFactorFor')}
          {...form.field('twoFactorFor')}
          options={(['administrators', 'all'] as const).map((value) => ({
            value,
            label: t(`settings.who.${value}`),
          }))}
        />
        <TextField
          label={t('settings.timeout')}
          hint={t('settings.timeoutHint')}
          required
          type="number"
          {...sessionTimeoutLimits}
          {...form.field('sessionTimeout', { valueAsNumber: true })}
        />
        <SignInFrom form={form} name="allowedIPs" hint={t('settings.addressesHint')} />
        {locksOut && (
          <Checkbox
            label={t('settings.confirmLockOut')}
            checked={knows}
            onChange={({ target }) => setKnows(target.checked)}
          />
        )}
        <Switch
          label={t('settings.api')}
          hint={t('settings.apiHint')}
          {...form.register('apiAccessEnabled')}
        />
        {mayChange && (
          <>
            <FreshProofFields proof={proof} />
            <Button type="submit" busy={isSubmitting} className="justify-self-start">
              {isSubmitting ? t('settings.saving') : t('settings.save')}
            </Button>
          </>
        )}
      </fieldset>
    </form>
  );
}
