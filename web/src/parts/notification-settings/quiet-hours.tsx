/** Hours in which only what is critical goes out to the user. */
import { useTranslation } from '#lib/i18n.ts';
import { minutesOf, timeOf, weekdays } from '#parts/week/week.ts';
import { useWeekdays } from '#parts/week/week-words.ts';
import { Card } from '#ui/card.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { TextField } from '#ui/fields.tsx';
import { Switch } from '#ui/switch.tsx';
import { FieldFault } from './form-switch.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** What quiet hours begin with: the night. */
const usual = { quiet_from: '22:00', quiet_to: '07:00' } as const;

export function QuietHours({ form }: { form: SettingsForm }) {
  const { t } = useTranslation();
  const isOn = typeof form.watch('quiet_from') === 'string';
  const turn = (isWanted: boolean): void => {
    form.clearErrors(['quiet_from', 'quiet_to', 'quiet_days']);
    form.setValue('quiet_from', isWanted ? usual.quiet_from : null);
    form.setValue('quiet_to', isWanted ? usual.quiet_to : null);
    if (isWanted && form.getValues('quiet_days')?.length === 0) {
      form.setValue('quiet_days', [...weekdays]);
    }
  };
  return (
    <Card title={t('notificationSettings.quiet')}>
      <div className="grid gap-4">
        <Switch
          label={t('notificationSettings.quietOn')}
          hint={t('notificationSettings.quietHint')}
          checked={isOn}
          onChange={({ target }) => turn(target.checked)}
        />
        {isOn && (
          <>
            <Times form={form} />
            <Days form={form} />
          </>
        )}
      </div>
    </Card>
  );
}

/** `8:30` is taken for `08:30`; without quiet hours there is no time. */
function tidy(typed: unknown): unknown {
  const minutes = typeof typed === 'string' ? minutesOf(typed) : null;
  return minutes === null ? typed : timeOf(minutes);
}

function Times({ form }: { form: SettingsForm }) {
  const { t } = useTranslation();
  const [from, to] = form.watch(['quiet_from', 'quiet_to']);
  const time = (name: 'quiet_from' | 'quiet_to') => ({
    ...form.field(name, { setValueAs: tidy }),
    error: form.formState.errors[name] && t('notificationSettings.badTime'),
    className: 'w-24',
    maxLength: 5,
    autoComplete: 'off',
    required: true,
  });
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap gap-4">
        <TextField label={t('notificationSettings.from')} {...time('quiet_from')} />
        <TextField label={t('notificationSettings.until')} {...time('quiet_to')} />
      </div>
      {(to ?? '') <= (from ?? '') && (
        <p className="text-meta text-muted">{t('notificationSettings.nextDay')}</p>
      )}
    </div>
  );
}

function Days({ form }: { form: SettingsForm }) {
  const { t } = useTranslation();
  const names = useWeekdays();
  const chosen = form.watch('quiet_days') ?? [];
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1.5 text-ui font-medium">{t('notificationSettings.days')}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {weekdays.map((day) => (
          <Checkbox
            key={day}
            label={names.long(day)}
            checked={chosen.includes(day)}
            onChange={({ target }) => {
              form.clearErrors('quiet_days');
              form.setValue(
                'quiet_days',
                weekdays.filter((one) => (one === day ? target.checked : chosen.includes(one))),
              );
            }}
          />
        ))}
      </div>
      <FieldFault error={form.formState.errors.quiet_days?.message} />
    </fieldset>
  );
}
