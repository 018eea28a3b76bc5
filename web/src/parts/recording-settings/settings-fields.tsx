/** What of a camera is recorded, where to, and how long it is kept. */
import { recordingQualities } from '@nazar/contract/recording-qualities.ts';
import { useTranslation } from '#lib/i18n.ts';
import { SelectField, TextField } from '#ui/fields.tsx';
import { Switch } from '#ui/switch.tsx';
import { WeekTable } from '../week/week-table.tsx';
import type { PlanForm } from './use-plan-form.ts';
import { usePlanWords } from './plan-words.ts';
import { qualityChoice } from './quality-words.ts';

export interface SettingsFieldsProps {
  plan: PlanForm;
}

export function WhenFields({ plan: { form, week } }: SettingsFieldsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-4">
      <legend className="mb-3 text-meta font-semibold text-muted">
        {t('recordingSettings.when')}
      </legend>
      <Switch
        label={t('recordingSettings.continuous')}
        hint={t('recordingSettings.continuousHint')}
        {...form.register('continuousRecording')}
      />
      <Switch
        label={t('recordingSettings.motion')}
        hint={t('recordingSettings.motionHint')}
        {...form.register('motionDetection')}
      />
      <Switch
        label={t('recordingSettings.schedule')}
        hint={t('recordingSettings.scheduleHint')}
        checked={week.isOn}
        onChange={({ target }) => week.put({ isOn: target.checked })}
      />
      {week.isOn && (
        <WeekTable
          label={t('recordingSettings.week')}
          week={week}
          strict={form.formState.isSubmitted}
        />
      )}
    </fieldset>
  );
}

export function HowFields({ plan: { form, recorded, qualities } }: SettingsFieldsProps) {
  const { t } = useTranslation();
  const words = usePlanWords();
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-4 sm:grid-cols-2">
      <legend className="mb-3 text-meta font-semibold text-muted">
        {t('recordingSettings.how')}
      </legend>
      <SelectField
        label={t('recordingSettings.quality')}
        hint={t('recordingSettings.qualityHint', { recorded: words.recorded(recorded) })}
        options={recordingQualities.map((value) => ({
          value,
          label: qualityChoice(t, value, qualities[value]),
        }))}
        {...form.field('quality')}
      />
      <TextField
        label={t('recordingSettings.retention')}
        hint={t('recordingSettings.retentionHint')}
        type="number"
        inputMode="numeric"
        min={1}
        max={365}
        step={1}
        {...form.field('retentionDays', { valueAsNumber: true })}
      />
      <TextField
        label={t('recordingSettings.path')}
        hint={t('recordingSettings.pathHint')}
        className="sm:col-span-2"
        required
        autoComplete="off"
        spellCheck={false}
        {...form.field('storagePath')}
      />
    </fieldset>
  );
}
