/** From where one may sign in: from anywhere, or from a list of addresses and networks. */
import { allAddresses } from '@nazar/contract/settings.ts';
import { useState } from 'react';
import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import { useTranslation } from '#lib/i18n.ts';
import { SelectField, TextField } from '#ui/fields.tsx';
import type { ContractForm } from './use-contract-form.ts';

export interface SignInFromProps<Input extends FieldValues, Output> {
  form: ContractForm<Input, Output>;
  name: FieldPath<Input>;
  /** The hint of the select field. */
  hint: string;
  /** Where a list begins: the reader's own address, so that it doesn't lock them out; '' where it is not known. */
  start?: string;
}

const isAll = (list: string): boolean => list.trim().toLowerCase() === allAddresses.toLowerCase();

export function SignInFrom<Input extends FieldValues, Output>({
  form,
  name,
  hint,
  start = '',
}: SignInFromProps<Input, Output>) {
  const { t } = useTranslation();
  const { field, fieldState } = useController({ control: form.control, name });
  const list = field.value as string;
  /** What was typed waits while anywhere is chosen. */
  const [typed, setTyped] = useState(isAll(list) ? start : list);
  const error = fieldState.error?.message;
  return (
    <>
      <SelectField
        label={t('security.from')}
        hint={hint}
        error={isAll(list) ? error : undefined}
        value={isAll(list) ? 'all' : 'list'}
        onChange={({ target }) => field.onChange(target.value === 'all' ? allAddresses : typed)}
        options={[
          { value: 'all', label: t('security.anyAddress') },
          { value: 'list', label: t('security.someAddresses') },
        ]}
      />
      {!isAll(list) && (
        <TextField
          label={t('security.addresses')}
          hint={t('security.addressesHint')}
          required
          name={name}
          error={error}
          value={list}
          onBlur={field.onBlur}
          onChange={({ target }) => {
            setTyped(target.value);
            field.onChange(target.value);
            // An error goes as soon as the field is right.
            if (fieldState.invalid) void form.trigger(name);
          }}
        />
      )}
    </>
  );
}
