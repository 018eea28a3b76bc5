/** The recording that is selected: what it is, and what can be done with it. */
import type { Recording } from '@nazar/contract/recordings.ts';
import { Download, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { mayChangeCameras } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { Button } from '#ui/button.tsx';
import type { DeleteRecordingProps } from './delete-recording.tsx';
import type { HeldNoteProps } from './handover/held-note.tsx';
import { RecordingBadges } from './recording-item.tsx';
import { useWords } from './recording-words.ts';
import { useDownload } from './use-download.ts';

const { Component: HeldNote } = onDemand<HeldNoteProps>(
  async () => (await import('./handover/held-note.tsx')).HeldNote,
);
const { Component: DeleteRecording } = onDemand<DeleteRecordingProps>(
  async () => (await import('./delete-recording.tsx')).DeleteRecording,
);

export interface SelectedRecordingProps {
  recording: Recording;
  onDone: (sentence: string) => void;
  onFailed: (sentence: string) => void;
  onDeleted: () => void;
}

/** Why it stays as it is; null: it can be deleted. */
function useObstacle({ held, isActive }: Recording): string | null {
  const { t } = useTranslation();
  if (held) return t('problem:problem.recording_held');
  return isActive ? t('problem:problem.recording_goes_on') : null;
}

function DownloadButton({ recording, onDone, onFailed }: SelectedRecordingProps) {
  const { t } = useTranslation();
  const { formatPercent } = useFormat();
  const { progress, start, cancel } = useDownload(recording.id, onDone, onFailed);
  if (recording.isActive) return null;
  if (progress === null) {
    return (
      <Button look="secondary" onClick={start}>
        <Download aria-hidden />
        {t('recordings.download')}
      </Button>
    );
  }
  return (
    <>
      <output className="figures text-ui text-muted">
        {t('recordings.preparing', { percent: formatPercent(progress) })}
      </output>
      <Button look="ghost" onClick={cancel}>
        {t('ui.cancel')}
      </Button>
    </>
  );
}

export function SelectedRecording(props: SelectedRecordingProps) {
  const { recording, onDeleted } = props;
  const { t } = useTranslation();
  const words = useWords();
  const mayDelete = mayChangeCameras(useUser());
  const obstacle = useObstacle(recording);
  const [deleting, setDeleting] = useState(false);
  const id = useId();
  return (
    <section
      aria-label={t('recordings.selected')}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-3 py-2.5"
    >
      <div className="grid min-w-0 flex-1 basis-60 grid-cols-1 gap-1">
        <p className="figures text-ui font-medium">{words.times(recording, null)}</p>
        <RecordingBadges recording={recording} />
      </div>
      <DownloadButton {...props} />
      {mayDelete && (
        <Button
          look="secondary"
          disabled={obstacle !== null}
          aria-describedby={obstacle === null ? undefined : id}
          onClick={() => setDeleting(true)}
        >
          <Trash2 aria-hidden />
          {t('recordings.delete')}
        </Button>
      )}
      {mayDelete && obstacle !== null && !recording.held && (
        <p id={id} className="w-full text-meta text-muted">
          {obstacle}
        </p>
      )}
      {recording.held && <HeldNote id={id} recording={recording} />}
      {deleting && (
        <DeleteRecording
          recording={recording}
          onClose={() => setDeleting(false)}
          onDeleted={onDeleted}
        />
      )}
    </section>
  );
}
