import { faceRoutes, type Face } from '@nazar/contract/faces.ts';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { useRemoval } from '#api/query.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { fullName, imageCount } from '../recognition.ts';

export interface DeleteDialogProps {
  face: Face;
  onClose: () => void;
  onDone: (sentence: string) => void;
}

/** Names the person and what goes with them. */
export function DeleteDialog({ face, onClose, onDone }: DeleteDialogProps) {
  const { t } = useTranslation();
  const name = fullName(face);
  const remove = useRemoval(
    'faces',
    () => face.id,
    () => call(faceRoutes.remove, { params: { id: face.id } }),
  );
  return (
    <AlertDialog
      open
      danger
      title={t('faces.removeTitle', { name })}
      description={t('faces.removeText', { count: imageCount(face) })}
      confirmLabel={t('faces.removeConfirm')}
      busy={remove.isPending}
      error={remove.isError && <Banner tone="error">{problemSentence(remove.error)}</Banner>}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(undefined, { onSuccess: () => onDone(t('faces.removed', { name })) })
      }
    />
  );
}
