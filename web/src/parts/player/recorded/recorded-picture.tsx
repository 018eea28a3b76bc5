/** The picture of a recording: the video, and on the way to its first picture a still of that moment. */
import { playbackRoutes } from '@nazar/contract/playback.ts';
import { useState, type RefObject } from 'react';
import { address } from '#api/call.ts';
import { cx } from '#lib/class-names.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import { SecureImage } from '#parts/secure-image.tsx';
import type { RecordedPlayback } from './recorded-playback.ts';
import { whole, type Zoom } from './zoom.ts';

/** Whether the element has a picture: the one asked for, or the last before it. */
export function useHasPicture(playback: RecordedPlayback): boolean {
  const { kind } = useSignal(playback.state);
  const [has, setHas] = useState(false);
  const isNone = kind === 'refused' || kind === 'idle';
  if (kind === 'ready' && !has) setHas(true);
  if (isNone && has) setHas(false);
  return kind === 'ready' || (has && !isNone);
}

export interface RecordedPictureProps {
  playback: RecordedPlayback;
  camera: { readonly id: string; readonly name: string };
  video: RefObject<HTMLVideoElement | null>;
  hasPicture: boolean;
  zoom?: Zoom;
}

export function RecordedPicture(props: RecordedPictureProps) {
  const { playback, camera, video, hasPicture, zoom = whole } = props;
  const { t } = useTranslation();
  const state = useSignal(playback.state);
  const poster =
    state.kind === 'loading' && !hasPicture
      ? address(playbackRoutes.thumbnail.path, {
          params: { id: camera.id },
          query: { at: new Date(state.atMs).toISOString() },
        })
      : null;
  return (
    <>
      {poster !== null && (
        <SecureImage
          src={poster}
          alt=""
          className="absolute inset-0 size-full object-contain!"
          fallback={null}
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the sound of a camera has no captions */}
      <video
        ref={video}
        playsInline
        aria-label={t('recorded.video', { name: camera.name })}
        aria-hidden={!hasPicture}
        className={cx(
          'absolute inset-0 size-full origin-top-left object-contain',
          !hasPicture && 'opacity-0',
          // A picture of another moment shall not be taken for the one that was asked for.
          state.kind === 'waiting' && 'opacity-50 grayscale',
        )}
        style={{
          transform: `translate(${zoom.x * 100}%, ${zoom.y * 100}%) scale(${zoom.scale})`,
        }}
      />
    </>
  );
}
