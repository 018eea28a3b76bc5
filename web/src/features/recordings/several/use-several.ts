import { useEffect, useMemo } from 'react';
import { browserClock } from '#parts/player/recorded/clock.ts';
import type { RecordedPlayback } from '#parts/player/recorded/recorded-playback.ts';
import type { Transport } from '#parts/player/recorded/transport.ts';
import { useArchiveCameras, type ArchiveCamera, type FoundCamera } from '../use-archive-camera.ts';
import { furtherCameras, mostCameras } from './further-cameras.ts';
import { SynchronizedPlayback } from './synchronized-playback.ts';

/** One that the address names. */
export interface FurtherCamera {
  readonly id: string;
  readonly found: FoundCamera;
}

export interface Several {
  readonly playback: SynchronizedPlayback;
  readonly further: readonly FurtherCamera[];
  /** Cameras that may be played, the page's own first. */
  readonly cameras: readonly ArchiveCamera[];
  /** The address names more than are shown. */
  readonly isTooMany: boolean;
}

/** The cameras of the address beside the page's own; `transport` plays all of them, or that one alone. */
export function useSeveral(
  camera: ArchiveCamera,
  own: RecordedPlayback,
  text: string | undefined,
): { readonly several: Several; readonly transport: Transport } {
  const playback = useMemo(() => new SynchronizedPlayback(browserClock), []);
  useEffect(() => () => playback[Symbol.dispose](), [playback]);
  const named = furtherCameras(text, camera.id);
  const ids = named.slice(0, mostCameras - 1);
  const further = useArchiveCameras(ids).map((found, index) => ({ id: ids[index] ?? '', found }));
  const playable = further.flatMap(({ found }) =>
    found.kind === 'found' && found.camera.mayPlay ? [found.camera] : [],
  );
  const several = {
    playback,
    further,
    cameras: [camera, ...playable],
    isTooMany: named.length > ids.length,
  };
  return { several, transport: further.length > 0 ? playback : own };
}
