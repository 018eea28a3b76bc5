import type { Recording } from '@nazar/contract/recordings.ts';
import { useQuery } from '@tanstack/react-query';
import { LockKeyhole } from 'lucide-react';
import { isAdministrator } from '#api/rights.ts';
import { useSeeing } from '#api/see-as.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { HeldBy } from './holds.tsx';
import { holdsQuery } from './queries.ts';

export interface HeldNoteProps {
  /** By which a control that cannot be used says why. */
  id?: string | undefined;
  recording: Pick<Recording, 'cameraId' | 'startTime' | 'endTime'>;
}

/** Which holds keep a recording; other users than administrators only see that it is held. */
export function HeldNote({ id, recording }: HeldNoteProps) {
  const { t } = useTranslation();
  const seeing = useSeeing();
  const mayRead = isAdministrator(useUser()) && seeing === null;
  const query = useQuery({ ...holdsQuery(recording.cameraId, 1, recording), enabled: mayRead });
  const holds = query.data?.results ?? [];
  return (
    <div
      id={id}
      className="flex w-full items-start gap-2 rounded-control border border-line bg-surface-2 px-3 py-2.5"
    >
      <LockKeyhole aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="grid min-w-0 gap-1">
        <p className="text-ui font-medium">{t('problem:problem.recording_held')}</p>
        {holds.length > 0 && (
          <ul aria-label={t('handover.holds')} className="grid gap-1">
            {holds.map((hold) => (
              <li key={hold.id}>
                <p className="text-ui break-words">{hold.reason}</p>
                <HeldBy hold={hold} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
