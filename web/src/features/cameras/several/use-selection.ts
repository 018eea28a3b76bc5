/** Which cameras are selected, on this page of the list and on others. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { useRef, useState } from 'react';

export interface Selection {
  readonly cameras: ReadonlyMap<string, Camera>;
  /** Something was selected since the page was opened. What was done with it may still be shown. */
  readonly isBegun: boolean;
  /** `shown`: the list in its order. With `isRange` all between this one and the one before are set alike. */
  readonly toggle: (camera: Camera, isRange: boolean, shown: readonly Camera[]) => void;
  /** Selects these beside the ones that are. */
  readonly add: (cameras: readonly Camera[]) => void;
  readonly remove: (cameras: readonly Camera[]) => void;
  readonly clear: () => void;
}

export function useSelection(): Selection {
  const [cameras, setCameras] = useState<ReadonlyMap<string, Camera>>(new Map());
  const [isBegun, setIsBegun] = useState(false);
  const last = useRef<string | null>(null);
  const change = (these: readonly Camera[], isOn: boolean): void => {
    if (isOn) setIsBegun(true);
    setCameras((before) => {
      const after = new Map(before);
      for (const camera of these) {
        if (isOn) after.set(camera.id, camera);
        else after.delete(camera.id);
      }
      return after;
    });
  };
  return {
    cameras,
    isBegun,
    toggle: (camera, isRange, shown) => {
      const at = shown.findIndex(({ id }) => id === camera.id);
      const from = isRange ? shown.findIndex(({ id }) => id === last.current) : -1;
      const range = from < 0 ? [camera] : shown.slice(Math.min(at, from), Math.max(at, from) + 1);
      last.current = camera.id;
      change(range, !cameras.has(camera.id));
    },
    add: (these) => change(these, true),
    remove: (these) => change(these, false),
    clear: () => {
      last.current = null;
      setCameras(new Map());
    },
  };
}
