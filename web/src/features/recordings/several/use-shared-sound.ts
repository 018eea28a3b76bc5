/** The sound of several players: one of them is audible, the others are silent, and one slider is for that one. */
import { useEffect, useState, type RefObject } from 'react';
import type { Sound } from '#parts/player/recorded/use-sound.ts';

/** The volume where none was chosen yet, in per cent (REC-008). */
const usual = 50;

export interface SharedSound extends Sound {
  /** The browser plays no sound before a click. */
  readonly onMuted: () => void;
}

export function useSharedSound(): SharedSound {
  const [volume, setShown] = useState(usual);
  const [isMuted, setMuted] = useState(false);
  const setVolume = (wanted: number): void => {
    setShown(Math.min(Math.max(0, wanted), 100));
    setMuted(false);
  };
  return {
    volume,
    isMuted,
    setVolume,
    toggle: () => (volume === 0 ? setVolume(usual) : setMuted(!isMuted)),
    onMuted: () => setMuted(true),
  };
}

/** Makes the element audible, or silent. */
export function useAudible(
  video: RefObject<HTMLVideoElement | null>,
  { volume, isMuted, onMuted }: SharedSound,
  isAudible: boolean,
): void {
  const isSilent = !isAudible || isMuted;
  useEffect(() => {
    const element = video.current;
    if (element === null) return undefined;
    element.volume = volume / 100;
    element.muted = isSilent;
    const look = (): void => {
      if (element.muted && !isSilent) onMuted();
    };
    element.addEventListener('volumechange', look);
    return () => element.removeEventListener('volumechange', look);
    // oxlint-disable-next-line react/exhaustive-deps -- `onMuted` is another at each render, and does the same
  }, [video, volume, isSilent]);
}
