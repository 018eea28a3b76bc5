import type { Recording } from '@nazar/contract/recordings.ts';
import { useQueryClient } from '@tanstack/react-query';
import { refresh } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';
import { ProofForm } from '#parts/proof-form.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { deleteRecording } from './queries.ts';
import { clockOf, useWords } from './recording-words.ts';

export interface DeleteRecordingProps {
  recording: Recording;
  onClose: () => void;
  onDeleted: () => void;
}

/** Says what it destroys, and takes fresh proof. */
export function DeleteRecording({ recording, onClose, onDeleted }: DeleteRecordingProps) {
  const { t } = useTranslation();
  const words = useWords();
  const client = useQueryClient();
  return (
    <Dialog
      open
      onClose={onClose}
      width="small"
      title={t('recordings.deleteTitle')}
      description={t('recordings.deleteText', {
        name: recording.cameraName,
        times: words.times(recording, null),
        duration: clockOf(recording.duration),
        size: words.megabytes(recording.bytes),
      })}
    >
      <ProofForm
        danger
        action={t('recordings.deleteAction')}
        onCancel={onClose}
        onProven={async (proof) => {
          await deleteRecording(recording.id, proof);
          // First no code asks for it any more, then all that shows it is read again.
          onDeleted();
          void refresh(client, 'recordings');
        }}
      />
    </Dialog>
  );
}
