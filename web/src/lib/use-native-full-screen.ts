/** The full screen of the browser, for one element. */
import { useEffect, useState, type RefObject } from 'react';

/** Where the browser has no such mode the property is missing altogether. */
const isFullNow = (): boolean => Boolean(document.fullscreenElement);

export async function leaveFullScreen(): Promise<void> {
  if (isFullNow()) await document.exitFullscreen();
}

export interface NativeFullScreen {
  readonly isFull: boolean;
  /** Rejects where the browser has no such mode, or refuses. */
  readonly toggle: () => Promise<void>;
}

export function useNativeFullScreen(element: RefObject<HTMLElement | null>): NativeFullScreen {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const look = (): void => setFull(isFullNow());
    document.addEventListener('fullscreenchange', look);
    return () => document.removeEventListener('fullscreenchange', look);
  }, []);
  const toggle = async (): Promise<void> => {
    if (isFullNow()) await leaveFullScreen();
    else await element.current?.requestFullscreen();
  };
  return { isFull, toggle };
}
