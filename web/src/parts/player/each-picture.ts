import type { ShownPicture } from './picture-time.ts';

/** Calls `react` with each picture as it is shown; returns what ends that. */
export function eachPicture(
  video: HTMLVideoElement,
  react: (shown: ShownPicture) => void,
): () => void {
  let handle = 0;
  if ('requestVideoFrameCallback' in video) {
    const next = (_now: number, shown: VideoFrameCallbackMetadata): void => {
      react(shown);
      handle = video.requestVideoFrameCallback(next);
    };
    handle = video.requestVideoFrameCallback(next);
    return () => video.cancelVideoFrameCallback(handle);
  }
  const element: HTMLVideoElement = video;
  const next = (): void => {
    react({ mediaTime: element.currentTime });
    handle = requestAnimationFrame(next);
  };
  handle = requestAnimationFrame(next);
  return () => cancelAnimationFrame(handle);
}
