/** Asks in the stated words before visits are marked deleted, one or all that the filters find (LDT-003 to LDT-008). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { refresh } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import {
  countDeletable,
  deleteAll,
  useDeleteDay,
  useDeleteVisit,
  type VisitFilter,
} from './deleting.ts';

export interface DeleteOneProps {
  /** Of a visit, or of a day and person; null: none is asked about. */
  id: string | null;
  isDay: boolean;
  onDone: (sentence: string) => void;
  onClose: () => void;
}

export function DeleteOne({ id, isDay, onDone, onClose }: DeleteOneProps) {
  const { t } = useTranslation();
  const visit = useDeleteVisit();
  const day = useDeleteDay();
  const remove = isDay ? day : visit;
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
      description={t('panels.deleteText')}
      confirmLabel={t('panels.markDeleted')}
      danger
      busy={remove.isPending}
      error={remove.isError ? <Banner tone="error">{t('panels.deleteOneFailed')}</Banner> : null}
      onConfirm={() => id !== null && remove.mutate(id, { onSuccess: done })}
      onClose={close}
    />
  );
}

export interface DeleteAllButtonProps {
  filter: VisitFilter;
  isEmpty: boolean;
  onDone: (sentence: string) => void;
}

export function DeleteAllButton({ filter, isEmpty, onDone }: DeleteAllButtonProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        look="secondary"
        size="small"
        onClick={() => (isEmpty ? onDone(t('panels.nothingToDelete')) : setOpen(true))}
      >
        <Trash2 aria-hidden />
        {t('panels.markAll')}
      </Button>
      <DeleteAll filter={filter} open={isOpen} onDone={onDone} onClose={() => setOpen(false)} />
    </>
  );
}

interface DeleteAllProps {
  filter: VisitFilter;
  open: boolean;
  onDone: (sentence: string) => void;
  onClose: () => void;
}

function DeleteAll({ filter, open, onDone, onClose }: DeleteAllProps) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const client = useQueryClient();
  const [deleted, setDeleted] = useState(0);
  const many = useQuery({
    queryKey: ['deletable', filter],
    queryFn: () => countDeletable(filter),
    enabled: open,
    staleTime: 0,
  });
  const remove = useMutation({
    mutationFn: () => deleteAll(filter, setDeleted),
    onSettled: () => Promise.all([refresh(client, 'activity'), refresh(client, 'detections')]),
  });
  const close = (): void => {
    remove.reset();
    setDeleted(0);
    onClose();
  };
  const confirm = (): void =>
    remove.mutate(undefined, {
      onSuccess: (count) => {
        close();
        onDone(t('panels.deletedMany', { count }));
      },
    });
  const left = many.data?.left ?? 0;
  const countText = t(many.data?.more ? 'panels.deleteMore' : 'panels.deleteCount', {
    count: left,
  });
  return (
    <AlertDialog
      open={open}
      title={t('panels.deleteAll')}
      description={
        <>
          {many.data !== undefined && <strong className="block">{countText}</strong>}
          {t('panels.deleteText')}
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
        remove.isError || many.isError ? (
          <Banner tone="error">{t('panels.deleteAllFailed')}</Banner>
        ) : null
      }
      onConfirm={confirm}
      onClose={close}
    />
  );
}
