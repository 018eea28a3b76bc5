/** A switch of the form; one that can do nothing here is off and says why. */
import { Switch } from '#ui/switch.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export interface FormSwitchProps {
  form: SettingsForm;
  name: 'email' | 'push' | 'sms' | 'notifyOnUnknown' | 'notifyOnKnown' | 'dailyReports';
  label: string;
  hint?: string;
  /** Why it can't be switched on here. */
  unavailable?: string | undefined;
}

export function FormSwitch({ form, name, label, hint, unavailable }: FormSwitchProps) {
  const error = form.formState.errors[name]?.message;
  const isThere = unavailable === undefined;
  return (
    <div className="grid gap-1">
      <Switch
        label={label}
        hint={unavailable ?? hint}
        disabled={!isThere}
        checked={isThere && form.watch(name) === true}
        onChange={({ target }) => {
          form.clearErrors(name);
          form.setValue(name, target.checked);
        }}
      />
      <FieldFault error={error} />
    </div>
  );
}

/** What is wrong with a field that is no single control. */
export function FieldFault({ error }: { error: string | undefined }) {
  return error === undefined ? null : (
    <p role="alert" className="text-meta text-danger-text">
      {error}
    </p>
  );
}
