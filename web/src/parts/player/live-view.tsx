/**
 * A camera's live picture wherever one is shown: a still underneath at once, the stream over it from its
 * first picture on, the faces over that, and words for everything that is not a picture. Streams only
 * while at least half of it is on the screen of a visible tab. Why a camera sends nothing is the page's
 * to say (`useHealthSentence`); here stands the one word that belongs on an old picture.
 */
import type { Camera, StreamName } from '@nazar/contract/cameras.ts';
import type { FaceBox } from '@nazar/contract/live.ts';
import { Camera as CameraIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { useInView } from '#lib/use-in-view.ts';
import { SecureImage } from '#parts/secure-image.tsx';
import { FaceBoxes } from './face-boxes.tsx';
import { LiveWords } from './live/live-words.tsx';
import { Placeholder, useNothingToShow } from './live/nothing-to-show.tsx';
import { PictureAge } from './live/picture-age.tsx';
import type { LiveTransport } from './live/transport-selector.ts';
import { usePictureInPicture } from './live/use-picture-in-picture.ts';
import { useStill } from './live/use-still.ts';
import type { LivePlayer } from './live-player.ts';
import { usePlayerSentence } from './player-words.ts';
import { whole, type Zoom } from './recorded/zoom.ts';
import { useLivePlayer } from './use-live-player.ts';

export interface LiveViewProps {
  camera: Camera;
  /** A small view does with the smaller picture, where the camera has one. */
  stream?: StreamName;
  /** By WebRTC where that works (LIVE-010). */
  lowLatency?: boolean;
  /** Hears why it does not, and of null when it is tried. */
  onLowLatencyFailed?: (reason: string | null) => void;
  /** By this transport and no other; absent: by what plays. */
  transport?: Exclude<LiveTransport, 'webrtc'> | undefined;
  /** Hears of the player: for whoever saves the picture or tells what it costs. */
  onPlayer?: (player: LivePlayer | null) => void;
  /** What part of the picture is seen. */
  zoom?: Zoom;
  /** Something lies over it: nothing is streamed meanwhile. */
  paused?: boolean;
  /** Whether boxes are drawn (LIVE-005). */
  boxes?: boolean;
  /** Hears of the faces of every picture. */
  onFaces?: (faces: readonly FaceBox[]) => void;
  /** In place of the ledger's short text for cameras without an address. */
  noUrlText?: string;
  /** Changes of state are read out: for the one view a page is about. */
  announce?: boolean;
  className?: string;
}

/** The ingest has given up for now: there is nothing to connect to until it says otherwise. */
const silent = (camera: Camera): boolean =>
  camera.health.state === 'offline' ||
  camera.health.state === 'refused' ||
  camera.health.state === 'off';

interface WatchedProps extends LiveViewProps {
  inView: boolean;
  onFloats: (floats: boolean) => void;
}

function usePlayer(props: WatchedProps) {
  const { camera, stream = 'main', lowLatency = false, transport, paused = false } = props;
  const { onLowLatencyFailed, onPlayer, onFloats, inView } = props;
  const wanted = inView && !paused && !silent(camera);
  const live = useLivePlayer(
    { cameraId: camera.id, stream, lowLatency, forced: transport },
    wanted,
  );
  const { lowLatencyFailed, player } = live;
  usePictureInPicture(live.video, onFloats);
  useEffect(() => onLowLatencyFailed?.(lowLatencyFailed), [onLowLatencyFailed, lowLatencyFailed]);
  useEffect(() => {
    onPlayer?.(player);
    return () => onPlayer?.(null);
  }, [onPlayer, player]);
  return live;
}

function Watched(props: WatchedProps) {
  const { camera, boxes = true, onFaces, announce = false, zoom = whole } = props;
  const { t } = useTranslation();
  const quiet = silent(camera);
  const { video, canvas, player, state, transport, health } = usePlayer(props);
  const healthNow = health ?? camera.health;
  const still = useStill(camera.id, state, {
    sends: healthNow.state === 'live',
    hasPicture: transport !== null,
  });
  const playerWords = usePlayerSentence(state);
  const troubled = quiet || healthNow.state === 'stalled';
  const words = troubled ? t(`ingest.state.${healthNow.state}`) : playerWords;
  // The last picture of a broken stream stays, and the words beside it say that it is old.
  const pictured =
    transport !== null && (state.kind === 'playing' || (state.kind === 'reconnecting' && !quiet));
  const [inVideo, inCanvas] = [pictured && transport !== 'jpeg', pictured && transport === 'jpeg'];
  const wasReplaced = state.kind === 'ended' && state.why === 'replaced';
  const over = 'absolute inset-0 size-full object-contain';
  return (
    <>
      <div
        className="absolute inset-0 origin-top-left"
        style={{ transform: `translate(${zoom.x * 100}%, ${zoom.y * 100}%) scale(${zoom.scale})` }}
      >
        {/* A video of another shape than the still leaves room at two sides, where an old picture would be. */}
        <div data-under-live className={cx('absolute inset-0', pictured && 'invisible')}>
          <SecureImage
            src={still}
            alt={pictured ? '' : t('player.still', { name: camera.name })}
            className={cx(
              'absolute inset-0 size-full object-contain!',
              // An old picture shall not be taken for what is there now.
              quiet && 'opacity-50 grayscale',
            )}
            fallback={
              <Placeholder icon={<CameraIcon aria-hidden />}>{t('player.noPicture')}</Placeholder>
            }
          />
        </div>
        <video
          ref={video}
          muted
          playsInline
          autoPlay
          aria-label={t('player.live', { name: camera.name })}
          aria-hidden={!inVideo}
          className={cx(over, !inVideo && 'opacity-0')}
        />
        <canvas
          ref={canvas}
          role={inCanvas ? 'img' : undefined}
          aria-label={inCanvas ? t('player.live', { name: camera.name }) : undefined}
          aria-hidden={!inCanvas}
          className={cx(over, !inCanvas && 'hidden')}
        />
      </div>
      {player !== null && state.kind === 'playing' && (
        <FaceBoxes player={player} drawn={boxes} zoom={zoom} onFaces={onFaces} />
      )}
      {player !== null && pictured && <PictureAge player={player} />}
      {words !== null && (
        <LiveWords
          busy={!troubled && state.kind !== 'ended'}
          announce={announce}
          onRetry={wasReplaced ? () => player?.open() : undefined}
        >
          {words}
        </LiveWords>
      )}
    </>
  );
}

export function LiveView(props: LiveViewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const inView = useInView(frame);
  /** In a window of its own it is watched, wherever its page is. */
  const [floats, setFloats] = useState(false);
  const nothing = useNothingToShow(props.camera, props.noUrlText);
  return (
    <div
      ref={frame}
      className={cx(
        'relative overflow-hidden',
        nothing === null && 'bg-[#0b0e14]',
        props.className,
      )}
    >
      {nothing ?? (
        <Watched key={props.camera.id} {...props} inView={inView || floats} onFloats={setFloats} />
      )}
    </div>
  );
}
