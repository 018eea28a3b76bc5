/** The last recorded picture of a camera that was gone before the reader opened it. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { useEffect, useState } from 'react';

interface Found {
  /** Names the camera and the outage. */
  readonly key: string;
  readonly address: string | null;
}

/**
 * `downSince` null: it is not wanted. Returns null until it is known, where nothing was recorded, and where the reader may
 * not see what was.
 */
export function useLastRecorded(
  { id, may_play: mayPlay }: Pick<Camera, 'id' | 'may_play'>,
  downSince: string | null,
): string | null {
  const [found, setFound] = useState<Found | null>(null);
  const wanted = mayPlay ? downSince : null;
  const key = `${id} ${wanted}`;
  useEffect(() => {
    if (wanted === null) return undefined;
    let current = true;
    // The routes of recordings would weigh on every page that shows a camera.
    import('./recorded-before.ts')
      .then(({ recordedBefore }) => recordedBefore(id, wanted))
      .then(
        (address) => current && setFound({ key: `${id} ${wanted}`, address }),
        () => undefined,
      );
    return () => {
      current = false;
    };
  }, [id, wanted]);
  return wanted !== null && found?.key === key ? found.address : null;
}
