import { requiredText } from '@nazar/contract/fields.ts';
import {
  ownSecurityRoutes,
  sessionTimeouts,
  UpdateMySecurity,
  type MySecurity,
} from '@nazar/contract/own-security.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { z } from 'zod/mini';
import { call } from '#api/call.ts';
import { ask, refresh } from '#api/query.ts';
import { atLeast } from '#lib/at-least.ts';
import { SignInFrom } from '#parts/sign-in-from.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/fields.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Switch } from '#ui/switch.tsx';
import { ApiKeys } from './keys/api-keys.tsx';

/** Saving shows for at least this time, so that it is seen (SEC-009). */
const MIN_BUSY_MS = 1500;

export function AccountSecurity({ onNotice }: { onNotice: (text: string) => void }) {
  const query = useQuery(ask('account', ownSecurityRoutes.security, {}));
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-56" />}>
      {(security) => (
        <>
          <SecurityForm security={security} onNotice={onNotice} />
          {security.effective.api_access && <ApiKeys onNotice={onNotice} />}
        </>
      )}
    </QueryView>
  );
}

/** The server reads an empty list as all addresses, which is another choice. */
const Form = z.extend(z.required(UpdateMySecurity), { allowed_ips: requiredText(4000) });

/** An option's text as the contract has it: a number of minutes or 'never'. */
const timeoutOf = (value: unknown): unknown =>
  sessionTimeouts.find((one) => String(one) === String(value));

interface SecurityFormProps {
  security: MySecurity;
  onNotice: (text: string) => void;
}

function SecurityForm({ security, onNotice }: SecurityFormProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [refused, setRefused] = useState<string | null>(null);
  const { session_timeout, allowed_ips, api_access } = security;
  const form = useContractForm(Form, { session_timeout, allowed_ips, api_access });
  const { isSubmitting } = form.formState;
  // Not while the policy forbids it, but who has it on may switch it off.
  const mayAccess = security.policy.api_access || api_access;
  const submit = form.handleSubmit(async (body) => {
    setRefused(null);
    try {
      await atLeast(MIN_BUSY_MS, call(ownSecurityRoutes.updateSecurity, { body }));
      onNotice(t('security.saved'));
      await refresh(client, 'account');
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <SelectField
        label={t('security.timeout')}
        hint={`${t('security.timeoutHint')} ${t('security.limit', { minutes: security.policy.session_timeout_minutes })}`}
        options={sessionTimeouts.map((one) => ({
          value: String(one),
          label: one === 'never' ? t('security.never') : t('security.minutes', { count: one }),
        }))}
        {...form.field('session_timeout', { setValueAs: timeoutOf })}
      />
      <SignInFrom
        form={form}
        name="allowed_ips"
        hint={t('security.address', { ip: security.ip })}
        start={security.ip}
      />
      <Switch
        label={t('security.access')}
        hint={mayAccess ? t('security.accessHint') : t('security.accessOff')}
        disabled={!mayAccess}
        {...form.register('api_access')}
      />
      <Button type="submit" busy={isSubmitting} className="justify-self-start">
        {isSubmitting ? t('security.saving') : t('security.save')}
      </Button>
    </form>
  );
}
