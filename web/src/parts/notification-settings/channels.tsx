/** By which channels the user is notified. */
import type { NotificationSettings } from '@nazar/contract/notifications.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Card } from '#ui/card.tsx';
import { TextField } from '#ui/fields.tsx';
import { FormSwitch } from './form-switch.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export interface ChannelsProps {
  form: SettingsForm;
  /** As it is saved: what this system can send, and whether the address is confirmed. */
  saved: NotificationSettings;
}

const channels = ['email', 'push', 'sms'] as const;

export function Channels({ form, saved }: ChannelsProps) {
  const { t } = useTranslation();
  const { available, email_confirmed: isConfirmed } = saved;
  const { email } = useUser();
  const hint = isConfirmed
    ? t('notificationSettings.addressHint', { email })
    : t('notificationSettings.unconfirmed');
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
          hint={hint}
          type="email"
          autoComplete="email"
          {...form.field('emailAddress', { setValueAs: nullIfEmpty })}
        />
      </div>
    </Card>
  );
}

/** Null: the address of the account. */
const nullIfEmpty = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() === '' ? null : value;
