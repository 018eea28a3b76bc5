/** Asks in the stated words before something is marked deleted, one or all that the filters find. */
import type { Deletion } from '@nazar/contract/visit-deletion.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { refresh } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import type { DeletionProgress, RemoveMany } from './delete-all.ts';
import { useDeleteAll, type DeleteAllWork } from './use-delete-all.ts';

/** What is deleted, and how that is called. */
export interface Deleting {
  /** What goes with it. */
  text: string;
  /** Says how many match. */
  countText: (left: Pick<Deletion, 'left' | 'more'>) => string;
  doneText: (count: number) => string;
  failedText: (error: unknown, of: 'one' | 'all') => string;
}

export interface DeleteOneDialogProps {
  deleting: Deleting;
  /** Null: none is asked about. */
  id: string | null;
  onDelete: (id: string) => Promise<unknown>;
  onDone: (sentence: string) => void;
  onClose: () => void;
}

export function DeleteOneDialog({ deleting, id, onDelete, onDone, onClose }: DeleteOneDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: onDelete,
    onSettled: () => refresh(client, 'activity'),
  });
  const close = (): void => {
    remove.reset();
    onClose();
  };
  const done = (): void => {
    close();
    onDone(t('panels.deletedOne'));
  };
  return (
    <AlertDialog
      open={id !== null}
      title={t('panels.deleteOne')}
      description={deleting.text}
      confirmLabel={t('panels.markDeleted')}
      danger
      busy={remove.isPending}
      error={<Failure error={remove.error} text={(error) => deleting.failedText(error, 'one')} />}
      onConfirm={() => id !== null && remove.mutate(id, { onSuccess: done })}
      onClose={close}
    />
  );
}

interface FailureProps {
  error: unknown;
  text: (error: unknown) => string;
}

function Failure({ error, text }: FailureProps) {
  return error === null ? null : <Banner tone="error">{text(error)}</Banner>;
}

export interface DeleteAllButtonProps<Filter> {
  deleting: Deleting;
  filter: Filter;
  isEmpty: boolean;
  removeMany: RemoveMany<Filter>;
  onDone: (sentence: string) => void;
}

export function DeleteAllButton<Filter>(props: DeleteAllButtonProps<Filter>) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        look="secondary"
        size="small"
        onClick={() => (props.isEmpty ? props.onDone(t('panels.nothingToDelete')) : setOpen(true))}
      >
        <Trash2 aria-hidden />
        {t('panels.markAll')}
      </Button>
      <DeleteAll {...props} open={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

type DeleteAllProps<Filter> = DeleteAllButtonProps<Filter> & { open: boolean; onClose: () => void };

function DeleteAll<Filter>(props: DeleteAllProps<Filter>) {
  const { deleting, filter, open, removeMany, onDone, onClose } = props;
  const { t } = useTranslation();
  const many = useQuery({
    queryKey: ['deletable', filter],
    queryFn: () => removeMany({ filter, count_only: true }),
    enabled: open,
    staleTime: 0,
  });
  const work = useDeleteAll(removeMany, filter);
  const close = (): void => {
    work.reset();
    onClose();
  };
  const ended = ({ deleted, isDone }: DeletionProgress): void => {
    close();
    const done = deleting.doneText(deleted);
    onDone(isDone ? done : t('panels.deletingStopped', { done }));
  };
  const error = work.error ?? many.error;
  return (
    <AlertDialog
      open={open}
      title={t('panels.deleteAll')}
      description={<AllText deleting={deleting} left={many.data} work={work} />}
      confirmLabel={t('panels.markDeleted')}
      {...(work.isBusy && { cancelLabel: t('panels.stopDeleting') })}
      danger
      busy={work.isBusy || many.isPending}
      error={<Failure error={error} text={(fault) => deleting.failedText(fault, 'all')} />}
      onConfirm={() => work.start(ended)}
      onClose={work.isBusy ? work.stop : close}
    />
  );
}

interface AllTextProps {
  deleting: Deleting;
  left: Deletion | undefined;
  work: DeleteAllWork;
}

/** What will go before it begins; then how much is gone. */
function AllText({ deleting, left, work: { deleted, isBusy, isStopping } }: AllTextProps) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const isBegun = isBusy || deleted > 0;
  return (
    <>
      {left !== undefined && !isBegun && (
        <strong className="block">{deleting.countText(left)}</strong>
      )}
      {deleting.text}
      {isBegun && (
        <output className="figures mt-2 block">
          {t('panels.deletedSoFar', { count: formatNumber(deleted) })}
          {isStopping && ` ${t('panels.stopping')}`}
        </output>
      )}
    </>
  );
}
