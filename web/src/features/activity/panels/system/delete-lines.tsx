/** Entries of the system log marked as deleted: one, or all that the filters find. */
import { useTranslation } from '#lib/i18n.ts';
import { DeleteAllButton, DeleteOneDialog, type Deleting } from '../deleting/delete-dialogs.tsx';
import { invalidText, statusOf } from '../failures.ts';
import { deleteLine, removeLines, type LineFilter } from './lines.ts';

function useDeletingLines(): Deleting {
  const { t } = useTranslation();
  return {
    text: t('systemLog.deleteText'),
    countText: ({ left, more }) =>
      t(more ? 'systemLog.deleteMore' : 'systemLog.deleteCount', { count: left }),
    doneText: (count) => t('systemLog.deletedMany', { count }),
    failedText(error, of) {
      const status = statusOf(error);
      if (of === 'one') {
        if (status === 403) return t('systemLog.failed.deleteForbidden');
        return status === 404 ? t('systemLog.failed.notFound') : t('panels.deleteOneFailed');
      }
      if (status === 403) return t('systemLog.failed.deleteAllForbidden');
      return status === 400 ? invalidText(t, error) : t('panels.deleteAllFailed');
    },
  };
}

export interface DeleteLineProps {
  /** Null: none is asked about. */
  id: string | null;
  onDone: (sentence: string) => void;
  onClose: () => void;
}

export function DeleteLine(props: DeleteLineProps) {
  return <DeleteOneDialog deleting={useDeletingLines()} onDelete={deleteLine} {...props} />;
}

export interface DeleteLinesButtonProps {
  filter: LineFilter;
  isEmpty: boolean;
  onDone: (sentence: string) => void;
}

export function DeleteLinesButton(props: DeleteLinesButtonProps) {
  return <DeleteAllButton deleting={useDeletingLines()} removeMany={removeLines} {...props} />;
}
