/** One camera on the whole screen (LIVE-001, LIVE-004 to LIVE-009). */
import type { Camera, StreamName } from '@nazar/contract/cameras.ts';
import type { FaceBox } from '@nazar/contract/live.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  ArrowLeft,
  Film,
  History as HistoryIcon,
  Maximize,
  Minimize,
  ScanFace,
  Volume2,
  VolumeX,
  X,
  Zap,
} from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useNativeFullScreen } from '#lib/use-native-full-screen.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { useDocumentTitle } from '#parts/page.tsx';
import { LiveSound } from '#parts/player/live-sound.tsx';
import { hasPeers } from '#parts/player/peer-sink.ts';
import { PeopleInView } from '#parts/player/people-in-view.tsx';
import { Presence, nobody, samePresent } from '#parts/player/presence.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Banner } from '#ui/banner.tsx';
import { FullScreen, FullScreenTitle } from '#ui/full-screen.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Waiting } from '#ui/spinner.tsx';
import { buttonClass } from '#ui/button.tsx';
import { HealthLine, RecordingLine } from './camera-badges.tsx';
import { CameraHistory } from './camera-history.tsx';
import { CameraPicture } from './detection/camera-picture.tsx';
import { DetectButton } from './detection/detect-button.tsx';
import { DetectionBanner } from './detection/detection-banner.tsx';
import { OwnWindowButton } from './detection/own-window.tsx';
import { useMayDetect } from './detection/use-detecting.ts';
import { EncodedNote } from './encoded-note.tsx';
import { MovePad } from './move/move-pad.tsx';
import { REFRESH_MS, cameraQuery } from './queries.ts';

/** LIVE-004, LIVE-008. */
function useFullScreen(element: RefObject<HTMLElement | null>) {
  const { isFull, toggle } = useNativeFullScreen(element);
  const [failed, setFailed] = useState(false);
  const tryToggle = (): void => {
    setFailed(false);
    toggle().catch(() => setFailed(true));
  };
  return { full: isFull, failed, toggle: tryToggle, forget: () => setFailed(false) };
}

/** Who is in view, told by the player at each picture and changed only when it differs. */
function usePresence() {
  const [present, setPresent] = useState(nobody);
  const [presence] = useState(() => new Presence());
  const see = useCallback(
    (faces: readonly FaceBox[]) => {
      const next = presence.see(faces, performance.now());
      setPresent((last) => (samePresent(last, next) ? last : next));
    },
    [presence],
  );
  return { present, see };
}

interface PictureProps {
  camera: Camera;
  boxes: boolean;
  lowLatency: boolean;
  onLowLatencyFailed: (reason: string | null) => void;
}

function Picture({ camera, boxes, lowLatency, onLowLatencyFailed }: PictureProps) {
  const { t } = useTranslation();
  const { present, see } = usePresence();
  const [stream, setStream] = useState<StreamName>('main');
  return (
    <>
      <CameraPicture
        place="screen"
        camera={camera}
        stream={stream}
        boxes={boxes}
        lowLatency={lowLatency}
        onLowLatencyFailed={onLowLatencyFailed}
        onFaces={see}
        announce
        noUrlText={t('live.noUrl')}
        className="min-h-0 flex-1"
      />
      <EncodedNote camera={camera} stream={stream} onStream={setStream} />
      {camera.may_move && camera.status === 'active' && (
        <div className="border-t border-line px-4 py-2">
          <MovePad camera={camera} />
        </div>
      )}
      {camera.enable_face_recognition && camera.status === 'active' && (
        <footer className="border-t border-line px-4 py-2.5">
          <PeopleInView present={present} />
        </footer>
      )}
    </>
  );
}

export interface LiveScreenProps {
  cameraId: string;
  /** It begins with low latency, where the browser can (LIVE-010). */
  lowLatency?: boolean;
  onClose: () => void;
  /** CFL-025: no such camera, or none this user may see. */
  onUnknown: (sentence: string) => void;
}

const isUnknown = (error: Error | null): boolean =>
  error instanceof Problem && [400, 403, 404].includes(error.status);

export function LiveScreen(props: LiveScreenProps) {
  const { cameraId, onClose, onUnknown } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const camera = useQuery({ ...cameraQuery(client, cameraId), refetchInterval: REFRESH_MS });
  const mayDetect = useMayDetect(camera.data);
  const [boxes, setBoxes] = useState(true);
  const [history, setHistory] = useState(false);
  const [sound, setSound] = useState(false);
  const silence = useCallback(() => setSound(false), []);
  const [lowLatency, setLowLatency] = useState(() => props.lowLatency === true && hasPeers());
  const [refused, setRefused] = useState<string | null>(null);
  const screen = useRef<HTMLDivElement>(null);
  const fullscreen = useFullScreen(screen);
  const name = camera.data?.name ?? t('live.title');
  useDocumentTitle(name);
  const { error } = camera;
  useEffect(() => {
    if (isUnknown(error)) onUnknown(problemSentence(error));
  }, [error, onUnknown]);
  if (isUnknown(error)) return null;
  return (
    <FullScreen ref={screen} onClose={onClose}>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-2 py-2 sm:px-4">
        <button type="button" onClick={onClose} className={buttonClass('ghost', 'small')}>
          <ArrowLeft aria-hidden />
          {t('live.back')}
        </button>
        <div className="order-last w-full min-w-0 px-2 sm:order-none sm:w-auto sm:flex-1 sm:px-0">
          <FullScreenTitle>{name}</FullScreenTitle>
          {camera.data !== undefined && <HealthLine camera={camera.data} />}
          {camera.data !== undefined && <RecordingLine camera={camera.data} />}
        </div>
        <div className="ml-auto flex items-center gap-1">
          {camera.data !== undefined && camera.data.health.sound !== null && (
            <IconButton
              label={t('live.sound')}
              aria-pressed={sound}
              onClick={() => setSound(!sound)}
            >
              {sound ? <Volume2 aria-hidden /> : <VolumeX aria-hidden />}
            </IconButton>
          )}
          {camera.data?.may_play === true && (
            <Link
              to="/recordings/$cameraId"
              params={{ cameraId }}
              title={t('recordingControl.viewLink')}
              className={buttonClass('ghost', 'small')}
            >
              <Film aria-hidden />
              <span className="sr-only sm:not-sr-only">{t('recordingControl.viewLink')}</span>
            </Link>
          )}
          {camera.data !== undefined && !fullscreen.full && (
            <IconButton label={t('history.open')} onClick={() => setHistory(true)}>
              <HistoryIcon aria-hidden />
            </IconButton>
          )}
          {hasPeers() && (
            <IconButton
              label={t('live.lowLatency')}
              aria-pressed={lowLatency && refused === null}
              onClick={() => setLowLatency(refused === null ? !lowLatency : false)}
            >
              <Zap aria-hidden />
            </IconButton>
          )}
          {camera.data !== undefined && mayDetect ? (
            <DetectButton camera={camera.data} />
          ) : (
            <IconButton
              label={t('live.faces')}
              aria-pressed={boxes}
              onClick={() => setBoxes(!boxes)}
            >
              <ScanFace aria-hidden />
            </IconButton>
          )}
          <OwnWindowButton cameraId={cameraId} />
          <IconButton
            label={fullscreen.full ? t('live.exitFullscreen') : t('live.fullscreen')}
            onClick={fullscreen.toggle}
          >
            {fullscreen.full ? <Minimize aria-hidden /> : <Maximize aria-hidden />}
          </IconButton>
          <IconButton label={t('ui.close')} onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        </div>
      </header>
      {fullscreen.failed && (
        <div className="p-2">
          <Banner tone="error" onClose={fullscreen.forget}>
            {t('live.fullscreenFailed')}
          </Banner>
        </div>
      )}
      {refused !== null && (
        <div className="p-2">
          <Banner tone="error" onClose={() => setLowLatency(false)}>
            {t('live.lowLatencyFailed', { reason: refused })}
          </Banner>
        </div>
      )}
      {camera.data !== undefined && <DetectionBanner camera={camera.data} />}
      {sound && <LiveSound cameraId={cameraId} onEnded={silence} />}
      {history && camera.data !== undefined && (
        <CameraHistory camera={camera.data} onClose={() => setHistory(false)} />
      )}
      <QueryView query={camera} skeleton={<Waiting />}>
        {(data) => (
          <Picture
            camera={data}
            boxes={boxes}
            lowLatency={lowLatency}
            onLowLatencyFailed={setRefused}
          />
        )}
      </QueryView>
    </FullScreen>
  );
}
