/**
 * A camera's live picture wherever one is shown: a still underneath at once, the stream over it from its
 * first picture on, the faces over that, and words for everything that is not a picture. Streams only
 * while at least half of it is on the screen of a visible tab. It reports what it gets to code that shows the state of
 * a camera (`camera-state/`), so that the sentence there and the one over the picture are the same.
 */
import type { Camera, CameraHealth, IngestState, StreamName } from '@nazar/contract/cameras.ts';
import type { FaceBox } from '@nazar/contract/live.ts';
import { Camera as CameraIcon } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { useInView } from '#lib/use-in-view.ts';
import { useNow } from '#lib/use-now.ts';
import { SecureImage } from '#parts/secure-image.tsx';
import { viewFactsOf, type ViewFacts } from '../camera-state/camera-facts.ts';
import { useCameraState } from '../camera-state/use-camera-state.ts';
import { FaceBoxes } from './face-boxes.tsx';
import { LiveWords } from './live/live-words.tsx';
import { Placeholder, useNothingToShow } from './live/nothing-to-show.tsx';
import { PictureAge } from './live/picture-age.tsx';
import type { LiveTransport } from './live/transport-selector.ts';
import type { Pace } from './live/pace.ts';
import { useLastRecorded } from './live/use-last-recorded.ts';
import { useLateness } from './live/use-lateness.ts';
import { usePictureInPicture } from './live/use-picture-in-picture.ts';
import { useStill } from './live/use-still.ts';
import type { LivePlayer } from './live-player.ts';
import { whole, type Zoom } from './recorded/zoom.ts';
import { stillMs } from './still-address.ts';
import { useLivePlayer } from './use-live-player.ts';

export interface LiveViewProps {
  camera: Camera;
  /** A small view does with the smaller picture, where the camera has one. */
  stream?: StreamName;
  /** By WebRTC where that works. */
  lowLatency?: boolean;
  /** Receives the reason why it does not, and null when it is tried. */
  onLowLatencyFailed?: (reason: string | null) => void;
  /** By this transport and no other; absent: by what plays. */
  transport?: Exclude<LiveTransport, 'webrtc'> | undefined;
  /** Receives the player: for code that saves the picture or shows what it costs. */
  onPlayer?: (player: LivePlayer | null) => void;
  /** What part of the picture is seen. */
  zoom?: Zoom;
  /** Something lies over it: nothing is streamed meanwhile. */
  paused?: boolean;
  /** Whether boxes are drawn. */
  boxes?: boolean;
  /** Receives the faces of every picture. */
  onFaces?: (faces: readonly FaceBox[]) => void;
  /** How much is shown of what comes; key frames alone are asked for of the player (`onPlayer`). */
  pace?: Pace;
  /** As of when the newest still is asked for, where stills are shown by turns; in milliseconds of `Date.now()`. */
  turnMs?: number | undefined;
  /** Receives what this viewer gets, whenever that changes. */
  onReport?: ((report: LiveReport) => void) | undefined;
  /** The sentence stands beside the picture: over it is only a sign that something is to be read. */
  isShort?: boolean;
  /** In place of the ledger's short text for cameras without an address. */
  noUrlText?: string;
  /** Changes of state are read out: for the one view a page is about. */
  announce?: boolean;
  className?: string;
}

export interface LiveReport {
  readonly view: ViewFacts;
  /** What the server last said of the camera on this connection; null: nothing. */
  readonly health: CameraHealth | null;
}

/**
 * What a view does in each state. `isSilent`: the ingest has given up for now, and there is nothing to connect to until
 * it says otherwise. `isGone`: the view says since when there has been no picture.
 */
const inState: Readonly<Record<IngestState, { isSilent: boolean; isGone: boolean }>> = {
  off: { isSilent: true, isGone: false },
  connecting: { isSilent: false, isGone: false },
  live: { isSilent: false, isGone: false },
  stalled: { isSilent: false, isGone: true },
  offline: { isSilent: true, isGone: true },
  refused: { isSilent: true, isGone: true },
};

const silent = ({ health }: Camera, stream: StreamName): boolean =>
  inState[health.state].isSilent && !(stream === 'sub' && health.sub?.state === 'live');

/** Since when a camera has sent nothing that could be watched; null: it sends, or nothing is known of it yet. */
function goneSince(health: CameraHealth, stream: StreamName): string | null {
  if (stream === 'sub' && health.sub?.state === 'live') return null;
  return inState[health.state].isGone ? health.down_since : null;
}

export const noReport: LiveReport = { view: { kind: 'none' }, health: null };

interface WatchedProps extends LiveViewProps {
  inView: boolean;
  onFloats: (floats: boolean) => void;
}

function usePlayer(props: WatchedProps) {
  const { camera, stream = 'main', lowLatency = false, transport, paused = false } = props;
  const { onLowLatencyFailed, onPlayer, onFloats, inView } = props;
  const isStill = props.pace === 'stills';
  const wanted = inView && !paused && !isStill && !silent(camera, stream);
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

function useReport({ onReport }: LiveViewProps, report: LiveReport): void {
  // Reported when it differs from the last one, however often this is rendered.
  const text = JSON.stringify(report);
  useEffect(() => onReport?.(JSON.parse(text) as LiveReport), [onReport, text]);
  useEffect(() => () => onReport?.(noReport), [onReport]);
}

/** What is shown is what was wanted: there is nothing to say over the picture. */
const asWanted: ReadonlySet<ViewFacts['kind']> = new Set([
  'none',
  'playing',
  'keyFrames',
  'stills',
]);

/** Key frames come each few seconds. */
const keyFramesPerS = 0.25;

/** The still that is on the screen, or lies under the stream: as of when it is, and how old where stills are all there is. */
function useShownStill(ticks: boolean) {
  const [stillAtMs, setStillAtMs] = useState<number | null>(null);
  const nowMs = useNow(ticks);
  const onShown = useCallback(
    (src: string | null) => setStillAtMs(src === null ? null : stillMs(src)),
    [],
  );
  return { stillAtMs, stillAgeMs: stillAtMs === null ? null : nowMs - stillAtMs, onShown };
}

function Watched(props: WatchedProps) {
  const { camera, stream = 'main', boxes = true, onFaces, announce = false, zoom = whole } = props;
  const { t } = useTranslation();
  const quiet = silent(camera, stream);
  const { video, canvas, kept, keptMs, player, state, transport, health } = usePlayer(props);
  const healthNow = health ?? camera.health;
  const still = useStill(camera.id, state, {
    sends: healthNow.state === 'live',
    hasPicture: transport !== null,
    turnMs: props.turnMs,
  });
  const recorded = useLastRecorded(
    camera,
    still === null && keptMs === null ? goneSince(healthNow, stream) : null,
  );
  const pace = props.pace ?? 'streams';
  const { stillAtMs, stillAgeMs, onShown } = useShownStill(pace === 'stills' && props.inView);
  // The last picture of a broken stream stays, and the words beside it say that it is old.
  const pictured =
    transport !== null && (state.kind === 'playing' || (state.kind === 'reconnecting' && !quiet));
  const { fps } = healthNow;
  const late = useLateness(player, { fps: pace === 'keyFrames' ? keyFramesPerS : fps }, pictured);
  const view = viewFactsOf(state, late, { pace, stillAgeMs });
  useReport(props, { view, health });
  const { sentence } = useCameraState({ ...camera, health: healthNow }, { view });
  const isWell = healthNow.state === 'live' && asWanted.has(view.kind);
  const troubled = quiet || healthNow.state === 'stalled' || view.kind === 'late';
  // Whichever is newer is the last picture of a camera that went away.
  const isOld = quiet && keptMs !== null && keptMs >= (stillAtMs ?? -Infinity);
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
          {!isOld && (
            <SecureImage
              src={still ?? recorded}
              onShown={onShown}
              alt={pictured ? '' : t('player.still', { name: camera.name })}
              className={cx(
                'absolute inset-0 size-full object-contain!',
                // An old picture shall not be taken for what is there now.
                (quiet || recorded !== null) && 'opacity-50 grayscale',
              )}
              fallback={
                <Placeholder icon={<CameraIcon aria-hidden />}>{t('player.noPicture')}</Placeholder>
              }
            />
          )}
          <canvas
            ref={kept}
            role={isOld ? 'img' : undefined}
            aria-label={isOld ? t('player.still', { name: camera.name }) : undefined}
            aria-hidden={!isOld}
            className={cx(over, 'opacity-50 grayscale', !isOld && 'hidden')}
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
      {late !== null && <PictureAge ageMs={late.ageMs} />}
      {!isWell && (
        <LiveWords
          busy={!troubled && state.kind !== 'ended'}
          isShort={props.isShort ?? false}
          announce={announce}
          onRetry={wasReplaced ? () => player?.open() : undefined}
        >
          {sentence}
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
