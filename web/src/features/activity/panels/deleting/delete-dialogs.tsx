/** Asks in the stated words before something is marked deleted, one or all that the filters find. */
import type { Deletion } from '@nazar/contract/face-log-deletion.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { refresh } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { deleteAll, type RemoveMany } from './delete-all.ts';

/** What is deleted, and how that is called. */
export interface Deleting {
  /** What goes with it. */
  text: string;
  /** Of all that match: how many they are. */
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
  const { formatNumber } = useFormat();
  const client = useQueryClient();
  const [deleted, setDeleted] = useState(0);
  const many = useQuery({
    queryKey: ['deletable', filter],
    queryFn: () => removeMany({ filter, count_only: true }),
    enabled: open,
    staleTime: 0,
  });
  const remove = useMutation({
    mutationFn: () => deleteAll(removeMany, filter, setDeleted),
    onSettled: () => Promise.all([refresh(client, 'activity'), refresh(client, 'detections')]),
  });
  const close = (): void => {
    remove.reset();
    setDeleted(0);
    onClose();
  };
  const done = (count: number): void => {
    close();
    onDone(deleting.doneText(count));
  };
  return (
    <AlertDialog
      open={open}
      title={t('panels.deleteAll')}
      description={
        <>
          {many.data !== undefined && (
            <strong className="block">{deleting.countText(many.data)}</strong>
          )}
          {deleting.text}
          {deleted > 0 && (
            <output className="mt-2 block">
              {t('panels.deletedSoFar', { count: formatNumber(deleted) })}
            </output>
          )}
        </>
      }
      confirmLabel={t('panels.markDeleted')}
      danger
      busy={remove.isPending || many.isPending}
      error={
        <Failure
          error={remove.error ?? many.error}
          text={(error) => deleting.failedText(error, 'all')}
        />
      }
      onConfirm={() => remove.mutate(undefined, { onSuccess: done })}
      onClose={close}
    />
  );
}
