/** Confirms another email address by the code that was mailed to it. It stands within a form, so it is none itself. */
import {
  ConfirmAddressFields,
  notificationSettingsRoutes,
  type NotificationSettings,
} from '@nazar/contract/notifications.ts';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { useTranslation } from '#lib/i18n.ts';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/fields.tsx';

const NOTICE_MS = 5000;

export interface AddressConfirmationProps {
  address: string;
  onConfirmed: (now: NotificationSettings) => void;
}

export function AddressConfirmation({ address, onConfirmed }: AddressConfirmationProps) {
  const { t } = useTranslation();
  const [notice, setNotice] = useNotice();
  const [refused, setRefused] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const form = useContractForm(ConfirmAddressFields, { code: '' });
  const begin = (): void => {
    setRefused(null);
    setNotice(null);
  };
  const confirm = form.handleSubmit(async (body) => {
    begin();
    try {
      onConfirmed(await call(notificationSettingsRoutes.confirmAddress, { body }));
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  const sendAgain = async (): Promise<void> => {
    begin();
    setSending(true);
    try {
      await call(notificationSettingsRoutes.sendCode, {});
      form.reset();
      setNotice(t('notificationSettings.codeSent', { address }));
    } catch (error) {
      setRefused(showProblem(form, error));
    } finally {
      setSending(false);
    }
  };
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="text-ui [overflow-wrap:anywhere]">
        {t('notificationSettings.enterCode', { address })}
      </p>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
      <TextField
        label={t('notificationSettings.code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        spellCheck={false}
        {...form.field('code')}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Else the form around it would be saved.
          event.preventDefault();
          void confirm();
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button busy={form.formState.isSubmitting} onClick={() => void confirm()}>
          {t('notificationSettings.confirm')}
        </Button>
        <Button look="secondary" busy={isSending} onClick={() => void sendAgain()}>
          {t('notificationSettings.sendAgain')}
        </Button>
      </div>
    </div>
  );
}
