/** At which cameras something must happen for the user to hear of it. */
import { useTranslation } from '#lib/i18n.ts';
import { useOwnCameras } from '#parts/alerts/use-own-cameras.ts';
import { Ticks } from '#parts/ticks.tsx';
import { Card } from '#ui/card.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { FieldFault } from './form-switch.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export function CameraChoice({ form }: { form: SettingsForm }) {
  const { t } = useTranslation();
  const { cameras } = useOwnCameras();
  const chosen = form.watch('cameras') ?? null;
  const set = (ids: string[] | null): void => {
    form.clearErrors('cameras');
    form.setValue('cameras', ids);
  };
  return (
    <Card title={t('notificationSettings.cameras')}>
      <div className="grid grid-cols-1 justify-items-start gap-3">
        <Segmented
          label={t('notificationSettings.cameras')}
          value={chosen === null ? 'all' : 'chosen'}
          onChange={(which) => set(which === 'all' ? null : [])}
          options={[
            { value: 'all', label: t('alerts.allCameras') },
            { value: 'chosen', label: t('alertRules.chosenCameras') },
          ]}
        />
        {chosen !== null && (
          <Ticks
            label={t('alertRules.chosenCameras')}
            choices={cameras}
            chosen={chosen}
            onChange={set}
          />
        )}
        <FieldFault error={form.formState.errors.cameras?.message} />
      </div>
    </Card>
  );
}
