import type { Camera } from '@nazar/contract/cameras.ts';
import type { RecordingSettings as Saved } from '@nazar/contract/recording-plans.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useUnsaved } from '#lib/unsaved.ts';
import { useDebounced } from '#lib/use-debounced.ts';
import { showProblem } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { Forecast } from './forecast.tsx';
import { forecastQuery, settingsQuery, useSaveSettings } from './queries.ts';
import { HowFields, WhenFields } from './settings-fields.tsx';
import { ChangedMeanwhile } from './changed-meanwhile.tsx';
import { changeOf, differences, planOf, type Plan } from './settings-change.ts';
import { TestRecording } from './test-recording.tsx';
import { usePlanForm } from './use-plan-form.ts';

export interface SettingsFormProps {
  camera: Camera;
  /** As the server has them now. */
  saved: Saved;
  onSaved: () => void;
  onCancel: () => void;
}

/** Asking at every letter would be too much. */
const restMs = 500;

/** What would come of it, asked again when the user pauses. */
function useForecast(cameraId: string, before: Plan, after: Plan | null) {
  const change = after === null ? null : JSON.stringify(changeOf(before, after));
  const rested = useDebounced(change, restMs);
  const query = useQuery({
    ...forecastQuery(cameraId, rested === null ? {} : (JSON.parse(rested) as object)),
    enabled: rested !== null,
  });
  return { query, isCurrent: rested === change && !query.isPlaceholderData };
}

export function SettingsForm({ camera, saved, onSaved, onCancel }: SettingsFormProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const fields = usePlanForm(saved);
  const { form, week, plan, reset } = fields;
  /** What this form began with, or took over since. */
  const [known, setKnown] = useState(() => planOf(saved));
  const [refused, setRefused] = useState<string | null>(null);
  const save = useSaveSettings(camera.id);
  const forecast = useForecast(camera.id, known, plan);
  const theirs = save.isPending ? [] : differences(known, planOf(saved));

  const { recorded } = forecast.query.data ?? saved;
  const { qualities } = saved;

  useUnsaved(() => plan !== null && Object.keys(changeOf(known, plan)).length > 0);

  const takeOver = (isMineKept: boolean): void => {
    const now = planOf(saved);
    const mine = isMineKept && plan !== null ? changeOf(known, plan) : {};
    reset({ ...now, ...mine } as Plan);
    setKnown(now);
  };
  const submit = form.handleSubmit(async () => {
    setRefused(null);
    if (plan === null) return;
    try {
      const now = await client.fetchQuery({ ...settingsQuery(camera.id), staleTime: 0 });
      // What another user changed is shown above the form: to be read before it is overwritten.
      if (differences(known, planOf(now)).length > 0) return;
      const change = changeOf(known, plan);
      if (Object.keys(change).length > 0) await save.mutateAsync(change);
      onSaved();
    } catch (error) {
      const rest = showProblem(form, error);
      const failed = t('recordingSettings.failed');
      setRefused(rest === null ? failed : `${failed} ${rest}`);
    }
  });
  return (
    <form noValidate className="grid grid-cols-1 gap-6" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      {theirs.length > 0 && (
        <ChangedMeanwhile
          names={theirs}
          onTheirs={() => takeOver(false)}
          onMine={plan === null ? null : () => takeOver(true)}
        />
      )}
      <WhenFields plan={{ ...fields, recorded, qualities }} />
      <HowFields plan={{ ...fields, recorded, qualities }} />
      <Forecast
        query={forecast.query}
        isCurrent={forecast.isCurrent}
        isWhole={plan !== null}
        stream={saved.recorded?.stream ?? null}
      />
      <TestRecording camera={camera} />
      {form.formState.isSubmitted && week.fault !== null && (
        <Banner tone="error">{t('recordingSettings.checkWeek')}</Banner>
      )}
      <FormActions
        label={t('recordingSettings.save')}
        busy={save.isPending}
        onCancel={onCancel}
        className="mt-0!"
      />
    </form>
  );
}
