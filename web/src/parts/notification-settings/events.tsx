/** What the user is notified of. */
import type { AlertLevel } from '@nazar/contract/alerts.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Card } from '#ui/card.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { FieldFault, FormSwitch } from './form-switch.tsx';
import type { SettingsForm } from './use-settings-form.ts';

const levels = ['info', 'warning', 'error', 'critical'] as const satisfies readonly AlertLevel[];

export function Events({ form }: { form: SettingsForm }) {
  const { t } = useTranslation();
  return (
    <Card title={t('notificationSettings.events')}>
      <div className="grid gap-4">
        <FormSwitch
          form={form}
          name="notifyOnUnknown"
          label={t('notificationSettings.unknown')}
          hint={t('notificationSettings.unknownHint')}
        />
        <FormSwitch
          form={form}
          name="notifyOnKnown"
          label={t('notificationSettings.known')}
          hint={t('notificationSettings.knownHint')}
        />
        <FormSwitch
          form={form}
          name="dailyReports"
          label={t('notificationSettings.reports')}
          unavailable={t('notificationSettings.unavailable.reports')}
        />
        <Levels form={form} />
      </div>
    </Card>
  );
}

function Levels({ form }: { form: SettingsForm }) {
  const { t } = useTranslation();
  const chosen = form.watch('alert_levels') ?? [];
  const set = (level: AlertLevel, isChosen: boolean): void =>
    form.setValue(
      'alert_levels',
      levels.filter((one) => (one === level ? isChosen : chosen.includes(one))),
    );
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1.5 text-ui font-medium">{t('notificationSettings.levels')}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {levels.map((level) => (
          <Checkbox
            key={level}
            label={t(`alerts.levels.${level}`)}
            checked={chosen.includes(level)}
            onChange={({ target }) => set(level, target.checked)}
          />
        ))}
      </div>
      <p className="text-meta text-muted">{t('notificationSettings.levelsHint')}</p>
      <FieldFault error={form.formState.errors.alert_levels?.message} />
    </fieldset>
  );
}
