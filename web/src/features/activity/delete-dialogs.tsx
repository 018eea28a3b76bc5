/** Asks before entries are deleted, naming how many and what becomes of them. */
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { useRemoveAll, useRemoveEntries } from './queries.ts';

interface DeleteProps {
  open: boolean;
  onDone: (sentence: string) => void;
  onClose: () => void;
}

export function DeleteSelected({
  ids,
  open,
  onDone,
  onClose,
}: DeleteProps & { ids: readonly string[] }) {
  const { t } = useTranslation();
  const remove = useRemoveEntries();
  const confirm = (): void =>
    remove.mutate([...ids], {
      onSuccess: ({ deleted }) => onDone(t('activityLog.deleted', { count: deleted })),
    });
  return (
    <AlertDialog
      open={open}
      title={t('activityLog.deleteTitle', { count: ids.length })}
      description={t('activityLog.deleteText', { count: ids.length })}
      confirmLabel={t('activityLog.deleteSelected')}
      danger
      busy={remove.isPending}
      error={remove.isError ? <Banner tone="error">{problemSentence(remove.error)}</Banner> : null}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

/** `ofAll`: of every user, not only of the reader. */
export function DeleteAll({ ofAll, open, onDone, onClose }: DeleteProps & { ofAll: boolean }) {
  const { t } = useTranslation();
  const remove = useRemoveAll();
  const confirm = (): void =>
    remove.mutate(undefined, {
      onSuccess: ({ deleted }) => onDone(t('activityLog.deleted', { count: deleted })),
    });
  return (
    <AlertDialog
      open={open}
      title={ofAll ? t('activityLog.deleteAllTitle') : t('activityLog.deleteOwnTitle')}
      description={t('activityLog.deleteAllText')}
      confirmLabel={t('activityLog.deleteAllConfirm')}
      danger
      busy={remove.isPending}
      error={
        remove.isError ? <Banner tone="error">{t('activityLog.deleteAllFailed')}</Banner> : null
      }
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
