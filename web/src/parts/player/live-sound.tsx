/** A camera's sound, beside its picture: a stream of its own, asked for and played only while this is mounted. */
import { useEffect } from 'react';
import { useLivePlayer } from './use-live-player.ts';

export interface LiveSoundProps {
  cameraId: string;
  /** The sound can't be played, or the reader may not listen any more. */
  onEnded: () => void;
}

export function LiveSound({ cameraId, onEnded }: LiveSoundProps) {
  const { video, state } = useLivePlayer({ cameraId, stream: 'sound', lowLatency: false }, true);
  const ended = state.kind === 'ended';
  useEffect(() => {
    if (ended) onEnded();
  }, [ended, onEnded]);
  // Sound has no picture and no controls: the button that asked for it is its control.
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- the sound of a camera has no captions
  return <video ref={video} hidden aria-hidden playsInline autoPlay />;
}
