/** Visits marked as deleted, one, those of a day and person, or all that the filters find. */
import { useTranslation } from '#lib/i18n.ts';
import { DeleteAllButton, DeleteOneDialog, type Deleting } from './delete-dialogs.tsx';
import { deleteDay, deleteVisit, removeVisits, type VisitFilter } from './deleting.ts';

/** `isOne`: of one visit. */
function useDeletingVisits(isOne: boolean): Deleting {
  const { t } = useTranslation();
  return {
    text: t(isOne ? 'panels.deleteVisitText' : 'panels.deleteText'),
    countText: ({ left, more }) =>
      t(more ? 'panels.deleteMore' : 'panels.deleteCount', { count: left }),
    doneText: (count) => t('panels.deletedMany', { count }),
    failedText: (_error, of) =>
      t(of === 'one' ? 'panels.deleteOneFailed' : 'panels.deleteAllFailed'),
  };
}

export interface DeleteVisitProps {
  /** The id of a visit, or of a day and person; null: the dialog is closed. */
  id: string | null;
  isDay: boolean;
  onDone: (sentence: string) => void;
  onClose: () => void;
}

export function DeleteVisit({ isDay, ...props }: DeleteVisitProps) {
  return (
    <DeleteOneDialog
      deleting={useDeletingVisits(!isDay)}
      onDelete={isDay ? deleteDay : deleteVisit}
      {...props}
    />
  );
}

export interface DeleteVisitsButtonProps {
  filter: VisitFilter;
  isEmpty: boolean;
  onDone: (sentence: string) => void;
}

export function DeleteVisitsButton(props: DeleteVisitsButtonProps) {
  return (
    <DeleteAllButton deleting={useDeletingVisits(false)} removeMany={removeVisits} {...props} />
  );
}
