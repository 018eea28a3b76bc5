import type { FaceBox } from '@nazar/contract/live.ts';
import { useCallback, useState } from 'react';
import { Presence, noOne, samePresent } from '#parts/player/presence.ts';

/** Who is in view, reported by the player at each picture and changed only when it differs. */
export function usePresence() {
  const [present, setPresent] = useState(noOne);
  const [presence] = useState(() => new Presence());
  const see = useCallback(
    (faces: readonly FaceBox[]) => {
      const next = presence.see(faces, performance.now());
      setPresent((last) => (samePresent(last, next) ? last : next));
    },
    [presence],
  );
  return { present, see };
}
