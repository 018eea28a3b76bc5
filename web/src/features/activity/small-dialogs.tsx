/** The small forms of the page: a search to save, a note to add, mock entries to make. */
import { useState, type FormEvent } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { Banner } from '#ui/banner.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextareaField, TextField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { useAddMock, useSaveSearch } from './queries.ts';
import { formOf, type ActivitySearch } from './search.ts';

interface SmallDialogProps {
  onDone: (sentence: string) => void;
  onClose: () => void;
}

const submitted = (send: () => void) => (event: FormEvent) => {
  event.preventDefault();
  send();
};

export function SaveSearchDialog({
  search,
  onDone,
  onClose,
}: SmallDialogProps & { search: ActivitySearch }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [isMissing, setMissing] = useState(false);
  const save = useSaveSearch();
  const send = (): void => {
    setMissing(name.trim() === '');
    if (name.trim() === '') return;
    save.mutate(formOf(name, search), {
      onSuccess: () => {
        onDone(t('activityLog.searchSaved'));
        onClose();
      },
    });
  };
  return (
    <Dialog
      open
      title={t('activityLog.saveSearch')}
      description={t('activityLog.saveSearchText')}
      width="small"
      onClose={onClose}
    >
      <form noValidate className="grid gap-4" onSubmit={submitted(send)}>
        {save.isError && <Banner tone="error">{problemSentence(save.error)}</Banner>}
        <TextField
          label={t('activityLog.searchName')}
          required
          maxLength={100}
          value={name}
          error={isMissing ? t('activityLog.searchNameRequired') : undefined}
          onChange={({ target }) => setName(target.value)}
        />
        <FormActions label={t('ui.save')} busy={save.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

const MOST_MOCKS = 1000;
const USUAL_MOCKS = 50;

/** Fewer than one is one. */
export function MockDialog({ onDone, onClose }: SmallDialogProps) {
  const { t } = useTranslation();
  const [count, setCount] = useState(String(USUAL_MOCKS));
  const add = useAddMock();
  const send = (): void => {
    const wanted = Math.min(MOST_MOCKS, Math.max(1, Math.trunc(Number(count)) || 1));
    add.mutate(wanted, {
      onSuccess: ({ created }) => {
        onDone(t('activityLog.mockMade', { count: created }));
        onClose();
      },
    });
  };
  return (
    <Dialog
      open
      title={t('activityLog.mockLogs')}
      description={t('activityLog.mockText')}
      width="small"
      onClose={onClose}
    >
      <form noValidate className="grid gap-4" onSubmit={submitted(send)}>
        {add.isError && <Banner tone="error">{t('activityLog.mockFailed')}</Banner>}
        <TextField
          label={t('activityLog.mockCount')}
          hint={t('activityLog.mockHint')}
          type="number"
          min={1}
          max={MOST_MOCKS}
          value={count}
          onChange={({ target }) => setCount(target.value)}
        />
        <FormActions label={t('activityLog.mockCreate')} busy={add.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

export function NoteDialog({
  busy,
  onSend,
  onClose,
}: {
  busy: boolean;
  onSend: (text: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  return (
    <Dialog
      open
      title={t('activityLog.addNote')}
      description={t('activityLog.noteText')}
      width="small"
      onClose={onClose}
    >
      <form
        noValidate
        className="grid gap-4"
        onSubmit={submitted(() => {
          if (text.trim() !== '') onSend(text.trim());
        })}
      >
        <TextareaField
          label={t('activityLog.note')}
          required
          maxLength={1000}
          rows={4}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <FormActions label={t('activityLog.addNote')} busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
