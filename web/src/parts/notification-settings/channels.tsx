/** By which channels the user is notified. */
import type { NotificationSettings } from '@nazar/contract/notifications.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Card } from '#ui/card.tsx';
import { TextField } from '#ui/fields.tsx';
import { AddressConfirmation } from './address-confirmation.tsx';
import { FormSwitch } from './form-switch.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export interface ChannelsProps {
  form: SettingsForm;
  /** As it is saved: what this system can send, and whether the address is confirmed. */
  saved: NotificationSettings;
  onConfirmed: (now: NotificationSettings) => void;
}

const channels = ['email', 'push', 'sms'] as const;

export function Channels({ form, saved, onConfirmed }: ChannelsProps) {
  const { t } = useTranslation();
  const { available, emailAddress: address } = saved;
  const { email } = useUser();
  return (
    <Card title={t('notificationSettings.channels')}>
      <div className="grid gap-4">
        {channels.map((name) => (
          <FormSwitch
            key={name}
            form={form}
            name={name}
            label={t(`notificationSettings.channel.${name}`)}
            unavailable={
              available[name] ? undefined : t(`notificationSettings.unavailable.${name}`)
            }
          />
        ))}
        <TextField
          label={t('notificationSettings.address')}
          hint={t(`notificationSettings.${hintOf(saved)}`, { email })}
          type="email"
          autoComplete="email"
          {...form.field('emailAddress', { setValueAs: nullIfEmpty })}
        />
        {address !== null && !saved.email_confirmed && (
          <AddressConfirmation key={address} address={address} onConfirmed={onConfirmed} />
        )}
      </div>
    </Card>
  );
}

function hintOf({ emailAddress: address, email_confirmed: isConfirmed }: NotificationSettings) {
  if (!isConfirmed) return 'unconfirmed';
  return address === null ? 'addressHint' : 'confirmed';
}

/** Null: the address of the account. */
const nullIfEmpty = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() === '' ? null : value;
