/** A date of a form over a schema of the contract: what is no date is sent as it was typed, and refused by name. */
import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import { DateField, type DateFieldProps } from '#ui/date/date-field.tsx';
import type { ContractForm } from './use-contract-form.ts';

export interface FormDateProps<Input extends FieldValues, Output> extends Omit<
  DateFieldProps,
  'value' | 'name' | 'error' | 'onDay' | 'onBlur'
> {
  form: ContractForm<Input, Output>;
  name: FieldPath<Input>;
  /** What the schema wants where there is no date; absent: ''. */
  none?: null;
}

export function FormDate<Input extends FieldValues, Output>({
  form,
  name,
  none,
  ...rest
}: FormDateProps<Input, Output>) {
  const { field, fieldState } = useController({ control: form.control, name });
  return (
    <DateField
      {...rest}
      name={name}
      value={field.value ?? ''}
      error={fieldState.error?.message}
      onDay={(day, text) => {
        const value = day ?? text;
        field.onChange(value === '' && none === null ? none : value);
        // An error goes as soon as the field is right.
        if (fieldState.invalid) void form.trigger(name);
      }}
      onBlur={field.onBlur}
    />
  );
}
