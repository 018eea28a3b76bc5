import {
  peopleLimits,
  photoGiBLimits,
  photoLimits,
  type RecognitionSettings,
} from '@nazar/contract/settings.ts';
import { useTranslation } from '#lib/i18n.ts';
import type { ContractForm } from '#parts/use-contract-form.ts';
import { TextField } from '#ui/fields.tsx';

const limits = [
  ['peoplePerAccount', peopleLimits],
  ['photosPerAccount', photoLimits],
  ['photoGiBPerAccount', photoGiBLimits],
] as const;

/** How much each account may add. */
export function AccountLimits({
  form,
}: {
  form: ContractForm<RecognitionSettings, RecognitionSettings>;
}) {
  const { t } = useTranslation();
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-1.5 text-ui font-medium">{t('recognition.accountLimits')}</legend>
      <p className="text-meta text-muted">{t('recognition.accountLimitsHint')}</p>
      {limits.map(([name, range]) => (
        <TextField
          key={name}
          label={t(`recognition.${name}`)}
          hint={t(`recognition.${name}Hint`)}
          required
          type="number"
          inputMode="numeric"
          {...range}
          {...form.field(name, { valueAsNumber: true })}
        />
      ))}
    </fieldset>
  );
}
