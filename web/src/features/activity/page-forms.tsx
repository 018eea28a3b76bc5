/** The dialogs of the activity log: one is open at a time. */
import { problemSentence } from '#api/problem.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { DeleteAll, DeleteSelected } from './delete-dialogs.tsx';
import type { ActivitySearch } from './search.ts';
import { MockDialog, NoteDialog, SaveSearchDialog } from './small-dialogs.tsx';
import { useAddEntry } from './use-add-entry.ts';

export type OpenForm = 'save' | 'mock' | 'note' | 'delete' | 'delete-all' | null;

/** What came of something, in words. */
export interface Outcome {
  onDone: (sentence: string) => void;
  onFailed: (sentence: string) => void;
}

export interface PageFormsProps extends Outcome {
  form: OpenForm;
  search: ActivitySearch;
  chosen: ReadonlySet<string>;
  onDeleted: () => void;
  onClose: () => void;
}

export function PageForms(props: PageFormsProps) {
  const { form, search, chosen, onDeleted, onDone, onClose } = props;
  const ofAll = isAdministrator(useUser());
  return (
    <>
      {form === 'save' && <SaveSearchDialog search={search} onDone={onDone} onClose={onClose} />}
      {form === 'mock' && <MockDialog onDone={onDone} onClose={onClose} />}
      {form === 'note' && <AddNote {...props} />}
      <DeleteSelected
        ids={[...chosen]}
        open={form === 'delete'}
        onDone={(sentence) => {
          onDeleted();
          onDone(sentence);
        }}
        onClose={onClose}
      />
      <DeleteAll ofAll={ofAll} open={form === 'delete-all'} onDone={onDone} onClose={onClose} />
    </>
  );
}

function AddNote({ onDone, onFailed, onClose }: Outcome & Pick<PageFormsProps, 'onClose'>) {
  const { t } = useTranslation();
  const add = useAddEntry();
  const send = (description: string): void =>
    add.mutate(
      { action: 'create', description },
      {
        onSuccess: (isThere) =>
          onDone(isThere ? t('activityLog.noteAdded') : t('activityLog.noteKept')),
        onError: (problem) => {
          onClose();
          onFailed(problemSentence(problem));
        },
      },
    );
  return <NoteDialog busy={add.isPending} onSend={send} onClose={onClose} />;
}
