/** A video that floats over other windows. */
import { useEffect, type RefObject } from 'react';

/** Reports when it begins to float and when that ends. */
export function usePictureInPicture(
  video: RefObject<HTMLVideoElement | null>,
  onFloats: (floats: boolean) => void,
): void {
  useEffect(() => {
    const element = video.current;
    if (element === null) return undefined;
    const end = new AbortController();
    const { signal } = end;
    element.addEventListener('enterpictureinpicture', () => onFloats(true), { signal });
    element.addEventListener('leavepictureinpicture', () => onFloats(false), { signal });
    return () => {
      end.abort();
      onFloats(false);
    };
  }, [video, onFloats]);
}

/** Firefox has a button of its own, and no way to ask for it. */
export const hasPictureInPicture = (): boolean => document.pictureInPictureEnabled;

/** Begins or ends it. Rejects where the browser refuses it. */
export async function togglePictureInPicture(video: HTMLVideoElement): Promise<void> {
  if (document.pictureInPictureElement === video) await document.exitPictureInPicture();
  else await video.requestPictureInPicture();
}
