/** What is inferred of faces. Until a user has confirmed it, ticking the first box asks for that. */
import { attributes } from '@nazar/contract/attributes.ts';
import { recognitionFeatures, type RecognitionSettings } from '@nazar/contract/settings.ts';
import { useState } from 'react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import type { ContractForm } from '#parts/use-contract-form.ts';
import { Checkbox } from '#ui/checkbox.tsx';
import { AttributeConfirmation } from './attribute-confirmation.tsx';

type Feature = RecognitionSettings['enabledFeatures'][number];

/** No model infers the others. */
const isInferred = (feature: Feature): boolean => attributes.some((one) => one === feature);

export interface AttributeBoxesProps {
  form: ContractForm<RecognitionSettings, RecognitionSettings>;
  /** When a user confirmed it before; null: no user has. */
  confirmedAt: string | null;
  /** Confirmed here, and not saved yet. */
  isConfirmed: boolean;
  onConfirm: () => void;
}

export function AttributeBoxes({ form, confirmedAt, isConfirmed, onConfirm }: AttributeBoxesProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  /** What the user wants to tick, and what was ticked before: the form takes the tick that is held back here. */
  const [asked, setAsked] = useState<{ feature: Feature; before: Feature[] } | null>(null);
  // What was ticked before can be taken away; what no model infers is not offered.
  const [stored] = useState(() => form.getValues('enabledFeatures'));
  const mustAsk = confirmedAt === null && !isConfirmed;
  const choose = (chosen: Feature[]): void => {
    form.setValue('enabledFeatures', chosen, { shouldDirty: true });
    setAsked(null);
  };
  const confirm = (): void => {
    if (asked) choose([...asked.before, asked.feature]);
    onConfirm();
  };
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-ui font-medium">{t('recognition.features')}</legend>
      <p className="text-meta text-muted">{t('recognition.featuresHint')}</p>
      {recognitionFeatures.map((value) => (
        <Checkbox
          key={value}
          value={value}
          label={t(`recognition.feature.${value}`)}
          hint={isInferred(value) ? undefined : t('recognition.notAvailable')}
          disabled={!isInferred(value) && !stored.includes(value)}
          {...form.register('enabledFeatures')}
          onClick={(event) => {
            if (!mustAsk || !isInferred(value) || !event.currentTarget.checked) return;
            event.preventDefault();
            setAsked({ feature: value, before: form.getValues('enabledFeatures') });
          }}
        />
      ))}
      {confirmedAt !== null && (
        <p className="text-meta text-muted">
          {t('recognition.confirm.since', { time: formatTime(confirmedAt, { dateStyle: 'long' }) })}
        </p>
      )}
      <AttributeConfirmation
        open={asked !== null}
        onConfirm={confirm}
        onClose={() => choose(asked?.before ?? form.getValues('enabledFeatures'))}
      />
    </fieldset>
  );
}
