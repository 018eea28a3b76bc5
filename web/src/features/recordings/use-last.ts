/** What this browser kept of a camera's recordings; its code comes when the server cannot be asked. */
import { useEffect, useState } from 'react';
import { Problem } from '#api/problem.ts';
import { useUser } from '#api/session.ts';
import type { LastRecordings } from './last-recordings.ts';

/** The server could not be asked, which is another thing than a refusal. */
export const isNoAnswer = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 0 || error.status >= 500);

/** Null while it is not wanted, and when there is none. */
export function useLast(cameraId: string, wanted: boolean): LastRecordings | null {
  const { id: userId } = useUser();
  const [last, setLast] = useState<LastRecordings | null>(null);
  useEffect(() => {
    if (!wanted) return undefined;
    let current = true;
    const read = async (): Promise<void> => {
      const { lastRecordings } = await import('./last-recordings.ts');
      if (current) setLast(lastRecordings(userId, cameraId, Date.now()));
    };
    // Without its code there is nothing to be shown, and the failure is said already.
    read().catch(() => undefined);
    return () => {
      current = false;
    };
  }, [wanted, userId, cameraId]);
  return wanted ? last : null;
}
