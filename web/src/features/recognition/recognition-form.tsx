import {
  faceSizeLimits,
  processingModes,
  RecognitionSettings,
  settingsRoutes,
  thresholdLimits,
} from '@nazar/contract/settings.ts';
import { useState } from 'react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { useChange } from '#api/query.ts';
import { mayChangeCameras } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { atLeast } from '#lib/at-least.ts';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/fields.tsx';
import { SliderField } from '#ui/slider-field.tsx';
import { AccountLimits } from './account-limits.tsx';
import { AttributeBoxes } from './attribute-boxes.tsx';

/** Saving shows for at least this time, so that it is seen (SET-005). */
const MIN_BUSY_MS = 1000;

export interface RecognitionFormProps {
  recognition: RecognitionSettings;
  /** When a user confirmed that attributes are inferred of faces; null: no user has. */
  confirmedAt: string | null;
  onSaved: () => void;
}

/** Who may not change the settings reads them. */
export function RecognitionForm({ recognition, confirmedAt, onSaved }: RecognitionFormProps) {
  const { t } = useTranslation();
  const { formatPercent } = useFormat();
  const mayChange = mayChangeCameras(useUser());
  const [refused, setRefused] = useState<string | null>(null);
  const [isConfirmed, setIsConfirmed] = useState(false);
  const form = useContractForm(RecognitionSettings, recognition);
  const { isSubmitting } = form.formState;
  const [threshold, minFaceSize] = form.watch(['threshold', 'minFaceSize']);
  const save = useChange('settings', (wanted: RecognitionSettings) =>
    atLeast(
      MIN_BUSY_MS,
      call(settingsRoutes.update, {
        body: { recognition: wanted, ...(isConfirmed && { confirm_attributes: true }) },
      }),
    ),
  );
  const submit = form.handleSubmit(async (wanted) => {
    setRefused(null);
    try {
      await save.mutateAsync(wanted);
      form.reset(wanted);
      onSaved();
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      {!mayChange && <Banner tone="info">{t('recognition.readOnly')}</Banner>}
      <fieldset disabled={!mayChange} className="grid gap-5">
        <legend className="sr-only">{t('recognition.people')}</legend>
        <SliderField
          label={t('recognition.threshold')}
          hint={t('recognition.thresholdHint')}
          {...thresholdLimits}
          shown={formatPercent(threshold / 100)}
          {...form.field('threshold', { valueAsNumber: true })}
        />
        <SliderField
          label={t('recognition.minFaceSize')}
          hint={t('recognition.minFaceSizeHint')}
          {...faceSizeLimits}
          shown={t('recognition.pixels', { value: minFaceSize })}
          {...form.field('minFaceSize', { valueAsNumber: true })}
        />
        <SelectField
          label={t('recognition.mode')}
          hint={t('recognition.modeHint')}
          {...form.field('processingMode')}
          options={processingModes.map((value) => ({
            value,
            label: t(`recognition.modes.${value}`),
          }))}
        />
        <AttributeBoxes
          form={form}
          confirmedAt={confirmedAt}
          isConfirmed={isConfirmed}
          onConfirm={() => setIsConfirmed(true)}
        />
        <AccountLimits form={form} />
      </fieldset>
      {mayChange && (
        <Button type="submit" busy={isSubmitting} className="justify-self-start">
          {isSubmitting ? t('settings.saving') : t('settings.save')}
        </Button>
      )}
    </form>
  );
}
