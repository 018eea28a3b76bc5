/**
 * A camera's live picture wherever one is shown: a still underneath at once, the stream over it from its
 * first picture on, the faces over that, and words for everything that is not a picture. Streams only
 * while at least half of it is on the screen of a visible tab. Why a camera sends nothing is the page's
 * to say (`useHealthSentence`); here stands the one word that belongs on an old picture.
 */
import type { Camera, StreamName } from '@nazar/contract/cameras.ts';
import type { FaceBox } from '@nazar/contract/live.ts';
import { Camera as CameraIcon, LoaderCircle, TriangleAlert, VideoOff, Wrench } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { useInView } from '#lib/use-in-view.ts';
import { SecureImage } from '#parts/secure-image.tsx';
import { FaceBoxes } from './face-boxes.tsx';
import { usePlayerSentence } from './player-words.ts';
import { isFull, type PlayerState } from './player-state.ts';
import { stillAddress } from './still-address.ts';
import { useLivePlayer } from './use-live-player.ts';

export interface LiveViewProps {
  camera: Camera;
  /** A small view does with the smaller picture, where the camera has one. */
  stream?: StreamName;
  /** By WebRTC where that works (LIVE-010). */
  lowLatency?: boolean;
  /** Hears why it does not, and of null when it is tried. */
  onLowLatencyFailed?: (reason: string | null) => void;
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

/** Where no stream can be played the still is at least kept fresh. */
const STILL_REFRESH_MS = 5000;

/**
 * The address of the newest still: again after each interruption, and regularly while it is all there is.
 * Asked for only while the camera sends pictures; afterwards the last one stays. Null before the first.
 */
function useStill(cameraId: string, state: PlayerState, sends: boolean): string | null {
  const [takenMs, setTakenMs] = useState(Date.now);
  const { kind } = state;
  const playing = kind === 'playing';
  const full = isFull(state);
  // Also while the next attempt connects.
  const [wasFull, setWasFull] = useState(false);
  if (full !== wasFull && (full || playing)) setWasFull(full);
  const only = wasFull || (kind === 'ended' && state.why === 'unsupported');
  useEffect(() => {
    if (!playing) return undefined;
    return () => setTakenMs(Date.now());
  }, [playing]);
  useEffect(() => {
    if (!only) return undefined;
    const timer = setInterval(() => setTakenMs(Date.now()), STILL_REFRESH_MS);
    return () => clearInterval(timer);
  }, [only]);
  const newest = stillAddress(cameraId, takenMs);
  const [kept, setKept] = useState<string | null>(null);
  if (sends && kept !== newest) setKept(newest);
  return kept;
}

function Placeholder({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="absolute inset-0 grid place-content-center justify-items-center gap-2 bg-surface-2 p-4 text-center text-ui font-medium text-muted [&_svg]:size-8 [&_svg]:stroke-[1.5]">
      {icon}
      {children}
    </div>
  );
}

/** CAM-028, CAM-029, NSH-049; null for a camera that can be watched. */
function useNothingToShow(camera: Camera, noUrlText: string | undefined): ReactNode {
  const { t } = useTranslation();
  switch (camera.status) {
    case 'inactive':
      return <Placeholder icon={<VideoOff aria-hidden />}>{t('player.inactive')}</Placeholder>;
    case 'maintenance':
      return <Placeholder icon={<Wrench aria-hidden />}>{t('player.maintenance')}</Placeholder>;
    case 'error':
      return <Placeholder icon={<TriangleAlert aria-hidden />}>{t('player.error')}</Placeholder>;
    default:
      if (camera.has_url) return null;
      return (
        <Placeholder icon={<CameraIcon aria-hidden />}>
          {noUrlText ?? t('player.noUrl')}
        </Placeholder>
      );
  }
}

function Words({
  children,
  busy,
  announce,
}: {
  children: string;
  busy: boolean;
  announce: boolean;
}) {
  const Icon = busy ? LoaderCircle : TriangleAlert;
  return (
    <p
      role={announce ? 'status' : undefined}
      className="absolute bottom-2 left-2 flex max-w-[calc(100%-1rem)] items-start gap-1.5 rounded-control bg-black/75 px-2.5 py-1.5 text-meta font-medium text-white"
    >
      <Icon aria-hidden className={cx('mt-px size-3.5 shrink-0', busy && 'animate-spin')} />
      <span>{children}</span>
    </p>
  );
}

/** The ingest has given up for now: there is nothing to connect to until it says otherwise. */
const silent = (camera: Camera): boolean =>
  camera.health.state === 'offline' ||
  camera.health.state === 'refused' ||
  camera.health.state === 'off';

function Watched({
  camera,
  stream = 'main',
  lowLatency = false,
  onLowLatencyFailed,
  paused = false,
  boxes = true,
  onFaces,
  announce = false,
  inView,
}: LiveViewProps & { inView: boolean }) {
  const { t } = useTranslation();
  const quiet = silent(camera);
  const { video, player, state, health, lowLatencyFailed } = useLivePlayer(
    { cameraId: camera.id, stream, lowLatency },
    inView && !paused && !quiet,
  );
  useEffect(() => onLowLatencyFailed?.(lowLatencyFailed), [onLowLatencyFailed, lowLatencyFailed]);
  const healthNow = health ?? camera.health;
  const still = useStill(camera.id, state, healthNow.state === 'live');
  const playerWords = usePlayerSentence(state);
  const troubled = quiet || healthNow.state === 'stalled';
  const words = troubled ? t(`ingest.state.${healthNow.state}`) : playerWords;
  // The last picture of a broken stream stays, and the words beside it say that it is old.
  const pictured =
    state.kind === 'playing' || (state.kind === 'reconnecting' && !quiet && !isFull(state));
  return (
    <>
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
      <video
        ref={video}
        muted
        playsInline
        autoPlay
        aria-label={t('player.live', { name: camera.name })}
        aria-hidden={!pictured}
        className={cx('absolute inset-0 size-full object-contain', !pictured && 'opacity-0')}
      />
      {player !== null && state.kind === 'playing' && (
        <FaceBoxes video={video} faces={player.faces} drawn={boxes} onFaces={onFaces} />
      )}
      {words !== null && (
        <Words busy={!troubled && state.kind !== 'ended'} announce={announce}>
          {words}
        </Words>
      )}
    </>
  );
}

export function LiveView(props: LiveViewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const inView = useInView(frame);
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
      {nothing ?? <Watched key={props.camera.id} {...props} inView={inView} />}
    </div>
  );
}
