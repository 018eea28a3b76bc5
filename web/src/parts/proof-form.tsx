import { useState, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { problemSentence } from '#api/problem.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Actions } from '#ui/dialog.tsx';
import { Field } from '#ui/field.tsx';
import { PasswordInput } from '#ui/password-input.tsx';

export interface ProofFormProps {
  /** Of the field. */
  label: string;
  /** What is being done. */
  action: string;
  danger?: boolean;
  onCancel: () => void;
  /** Rejects with what the server refused. */
  onProven: (password: string) => Promise<void>;
}

/** The password again; what was typed goes with the form. */
export function ProofForm({ label, action, danger = false, onCancel, onProven }: ProofFormProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefused(null);
    try {
      await onProven(password);
    } catch (error) {
      setRefused(problemSentence(error));
      setBusy(false);
    }
  };
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <Field label={label} required>
        {(attributes) => (
          <PasswordInput
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            {...attributes}
          />
        )}
      </Field>
      <Actions>
        <Button look="secondary" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit" look={danger ? 'danger' : 'primary'} busy={busy}>
          {action}
        </Button>
      </Actions>
    </form>
  );
}
