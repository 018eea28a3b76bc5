import { useEffect, useState, type RefObject } from 'react';

/** How loud it is, 0 to 100. */
export interface Sound {
  readonly volume: number;
  readonly isMuted: boolean;
  readonly setVolume: (volume: number) => void;
  readonly toggle: () => void;
}

/** The volume where none was chosen yet, in per cent (REC-008). */
const usual = 50;

function makeLoud(element: HTMLMediaElement | null, volume: number): void {
  if (element === null) return;
  element.volume = Math.min(Math.max(0, volume), 100) / 100;
  element.muted = false;
}

/** A silent element becomes audible, also when its volume is 0. */
function toggleMuted(element: HTMLMediaElement | null): void {
  if (element === null) return;
  if (element.volume === 0) makeLoud(element, usual);
  else element.muted = !element.muted;
}

/** The element's own volume: the browser mutes it, too, where the reader hasn't clicked yet. */
export function useSound(video: RefObject<HTMLVideoElement | null>): Sound {
  const [volume, setShown] = useState(usual);
  const [isMuted, setMuted] = useState(false);
  useEffect(() => {
    const element = video.current;
    if (element === null) return undefined;
    const look = (): void => {
      setShown(Math.round(element.volume * 100));
      setMuted(element.muted);
    };
    element.addEventListener('volumechange', look);
    makeLoud(element, usual);
    return () => element.removeEventListener('volumechange', look);
  }, [video]);
  return {
    volume,
    isMuted,
    setVolume: (wanted) => makeLoud(video.current, wanted),
    toggle: () => toggleMuted(video.current),
  };
}
