/** Whether a recording that has not ended is being written, by what its camera says of its recording. */
import type { Recording } from '@nazar/contract/recordings.ts';
import { useQuery } from '@tanstack/react-query';
import { cameraQuery } from './queries.ts';

export type Progress = 'written' | 'interrupted';

/** Null: it has ended, or it is not known how it is with its camera, or what is recorded next is another recording. */
export function useProgress({ cameraId, cameraDeleted, isActive }: Recording): Progress | null {
  const { data } = useQuery({ ...cameraQuery(cameraId), enabled: isActive && !cameraDeleted });
  if (!isActive || data === undefined) return null;
  if (data.is_recording) return 'written';
  const isWanted = data.recording_reason !== null && data.recording_state !== 'waiting';
  return isWanted ? 'interrupted' : null;
}
