import { useEffect, useMemo, type RefObject } from 'react';
import { browserClock } from './clock.ts';
import { HlsEngine } from './hls-engine.ts';
import { RecordedPlayback } from './recorded-playback.ts';
import { recordedServer } from './recorded-server.ts';

/**
 * What plays the recordings of a camera: for `RecordedPlayer`, for a timeline that shows and seeks its moment, and for
 * pages that keep several in step. `momentMs`: where to begin; when it changes, it is sought.
 */
export function useRecordedPlayback(cameraId: string, momentMs: number | null): RecordedPlayback {
  const playback = useMemo(
    () => new RecordedPlayback({ server: recordedServer(cameraId), clock: browserClock }),
    [cameraId],
  );
  useEffect(() => {
    if (momentMs !== null) playback.seek(momentMs);
  }, [playback, momentMs]);
  useEffect(() => {
    const retry = (): void => playback.retry();
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [playback]);
  return playback;
}

/** Plays in this element for as long as it stands. */
export function useEngine(
  playback: RecordedPlayback,
  video: RefObject<HTMLVideoElement | null>,
): void {
  useEffect(() => {
    if (video.current === null) return undefined;
    const engine = new HlsEngine(video.current, playback);
    playback.attach(engine);
    return () => {
      playback.detach();
      engine[Symbol.dispose]();
    };
  }, [playback, video]);
}
