import type { ComponentType } from 'react';
import { Field, type FieldAttributes, type FieldProps } from './field.tsx';

type Surroundings = Omit<FieldProps, 'children'>;

/** The class name goes to the field as a whole; what the field does not know goes to the control. */
type LabelledProps<ControlProps> = Surroundings &
  Omit<ControlProps, keyof FieldProps | keyof FieldAttributes>;

/** Puts a control into a field, for forms that need nothing between the two. */
export function labelled<ControlProps extends object>(Control: ComponentType<ControlProps>) {
  return function LabelledControl({
    label,
    error,
    hint,
    required,
    hideLabel,
    className,
    ...rest
  }: LabelledProps<ControlProps>) {
    const surroundings = { label, error, hint, required, hideLabel, className };
    const control = rest as unknown as ControlProps;
    return (
      <Field {...surroundings}>{(attributes) => <Control {...attributes} {...control} />}</Field>
    );
  };
}
