import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Dialog } from '#ui/dialog.tsx';
import { TextareaField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import type { Alert } from './queries.ts';

export interface ResolveDialogProps {
  alerts: readonly Alert[];
  onResolve: (notes: string) => void;
  onClose: () => void;
}

/** As the contract has it. */
const longestNotes = 2000;

/** What became of it may be written down; nothing must be. */
export function ResolveDialog({ alerts, onResolve, onClose }: ResolveDialogProps) {
  const { t } = useTranslation();
  const [notes, setNotes] = useState('');
  const [first] = alerts;
  const name =
    alerts.length === 1 && first !== undefined
      ? first.title
      : t('alerts.count', { count: alerts.length });
  return (
    <Dialog
      open
      title={t('alerts.resolveTitle')}
      description={name}
      width="small"
      onClose={onClose}
    >
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onResolve(notes.trim());
        }}
      >
        <TextareaField
          label={t('alerts.notes')}
          hint={t('alerts.notesHint')}
          maxLength={longestNotes}
          value={notes}
          onChange={({ target }) => setNotes(target.value)}
        />
        <FormActions label={t('alerts.resolve')} busy={false} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
