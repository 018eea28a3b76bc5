/** The recordings that were found, newest first, each leading to its camera's page where it is shown. */
import type { Recording } from '@nazar/contract/recordings.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '#lib/i18n.ts';
import { dayOf } from '#lib/local-day.ts';
import { RecordingBadges, Thumbnail } from '../recording-item.tsx';
import { clockOf, useWords } from '../recording-words.ts';

export interface FindListProps {
  recordings: readonly Recording[];
  /** In the address: the list beside the player shows the same person. */
  person: string | undefined;
}

export function FindList({ recordings, person }: FindListProps) {
  const { t } = useTranslation();
  const words = useWords();
  return (
    <ul aria-label={t('recordings.title')} className="grid grid-cols-1 gap-1">
      {recordings.map((recording) => (
        <li key={recording.id}>
          <Link
            to="/recordings/$cameraId"
            params={{ cameraId: recording.cameraId }}
            search={{
              day: dayOf(Date.parse(recording.startTime)),
              recording: recording.id,
              at: recording.startTime,
              ...(person !== undefined && { person }),
            }}
            className="flex items-center gap-3 rounded-control p-2 hover:bg-surface-2"
          >
            <Thumbnail recording={recording} />
            <span className="grid min-w-0 flex-1 grid-cols-1 gap-1">
              <span className="font-medium break-words">{recording.cameraName}</span>
              <span className="figures text-meta text-muted">
                {words.times(recording, null)} · {clockOf(recording.duration)}
              </span>
              <RecordingBadges recording={recording} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
