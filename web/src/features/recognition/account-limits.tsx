import {
  peopleLimits,
  photoGiBLimits,
  photoLimits,
  type RecognitionSettings,
} from '@nazar/contract/settings.ts';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '#ui/field.tsx';
import { Input } from '#ui/input.tsx';

const limits = [
  ['peoplePerAccount', peopleLimits],
  ['photosPerAccount', photoLimits],
  ['photoGiBPerAccount', photoGiBLimits],
] as const;

/** C-524: how much each account may add. */
export function AccountLimits({ form }: { form: UseFormReturn<RecognitionSettings> }) {
  const { t } = useTranslation();
  const { errors } = form.formState;
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-1.5 text-ui font-medium">{t('recognition.accountLimits')}</legend>
      <p className="text-meta text-muted">{t('recognition.accountLimitsHint')}</p>
      {limits.map(([name, range]) => (
        <Field
          key={name}
          label={t(`recognition.${name}`)}
          hint={t(`recognition.${name}Hint`)}
          error={errors[name]?.message}
          required
        >
          {(attributes) => (
            <Input
              type="number"
              inputMode="numeric"
              {...range}
              {...attributes}
              {...form.register(name, { valueAsNumber: true })}
            />
          )}
        </Field>
      ))}
    </fieldset>
  );
}
