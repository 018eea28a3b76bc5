/** The last picture of a camera that was gone before it was looked at, as it was recorded. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { useEffect, useState } from 'react';

type AddressOf = (cameraId: string, downSince: string) => string;

/** `downSince` null: it is not wanted. Returns null where the reader may not see what was recorded, too. */
export function useLastRecorded(
  { id, may_play: mayPlay }: Pick<Camera, 'id' | 'may_play'>,
  downSince: string | null,
): string | null {
  const [addressOf, setAddressOf] = useState<AddressOf | null>(null);
  const wanted = mayPlay && downSince !== null;
  useEffect(() => {
    if (!wanted) return undefined;
    let current = true;
    // The routes of recordings would weigh on every page that shows a camera.
    import('./recorded-before.ts').then(
      ({ recordedBefore }) => current && setAddressOf(() => recordedBefore),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [wanted]);
  return wanted && addressOf !== null ? addressOf(id, downSince) : null;
}
