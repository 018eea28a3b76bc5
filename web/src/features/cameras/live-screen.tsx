/** One camera on the whole screen. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { useDocumentTitle } from '#parts/page.tsx';
import { LiveSound } from '#parts/player/live-sound.tsx';
import { noReport, type LiveReport } from '#parts/player/live-view.tsx';
import { hasPeers } from '#parts/player/has-peers.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Banner } from '#ui/banner.tsx';
import { FullScreen } from '#ui/full-screen.tsx';
import { Waiting } from '#ui/spinner.tsx';
import { CameraHistory } from './camera-history.tsx';
import { DetectionBanner } from './detection/detection-banner.tsx';
import { LiveHeader } from './live/live-header.tsx';
import { LivePicture } from './live/live-picture.tsx';
import { useFullScreen } from './live/use-full-screen.ts';
import { REFRESH_MS, cameraQuery } from './queries.ts';

export interface LiveScreenProps {
  cameraId: string;
  /** It begins with low latency, where the browser can. */
  lowLatency?: boolean;
  onClose: () => void;
  /** No such camera, or none this user may see. */
  onUnknown: (sentence: string) => void;
}

const isUnknown = (error: Error | null): boolean =>
  error instanceof Problem && [400, 403, 404].includes(error.status);

function Trouble({ sentence, onClose }: { sentence: string; onClose: () => void }) {
  return (
    <div className="p-2">
      <Banner tone="error" onClose={onClose}>
        {sentence}
      </Banner>
    </div>
  );
}

export function LiveScreen(props: LiveScreenProps) {
  const { cameraId, onClose, onUnknown } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const camera = useQuery({ ...cameraQuery(client, cameraId), refetchInterval: REFRESH_MS });
  const [boxes, setBoxes] = useState(true);
  const [history, setHistory] = useState(false);
  const [sound, setSound] = useState(false);
  const silence = useCallback(() => setSound(false), []);
  const [lowLatency, setLowLatency] = useState(() => props.lowLatency === true && hasPeers());
  const [refused, setRefused] = useState<string | null>(null);
  const [report, setReport] = useState<LiveReport>(noReport);
  const screen = useRef<HTMLDivElement>(null);
  const full = useFullScreen(screen);
  useDocumentTitle(camera.data?.name ?? t('live.title'));
  const { error } = camera;
  useEffect(() => {
    if (isUnknown(error)) onUnknown(problemSentence(error));
  }, [error, onUnknown]);
  if (isUnknown(error)) return null;
  const choices = {
    boxes,
    setBoxes,
    sound,
    setSound,
    lowLatency: lowLatency && refused === null,
    setLowLatency: (on: boolean) => setLowLatency(refused === null ? on : false),
    openHistory: () => setHistory(true),
  };
  return (
    <FullScreen ref={screen} onClose={onClose}>
      <LiveHeader
        camera={camera.data}
        report={report}
        knownAtMs={camera.isError ? camera.dataUpdatedAt : null}
        choices={choices}
        full={full}
        onClose={onClose}
      />
      {full.failed && <Trouble sentence={t('live.fullscreenFailed')} onClose={full.forget} />}
      {refused !== null && (
        <Trouble
          sentence={t('live.lowLatencyFailed', { reason: refused })}
          onClose={() => setLowLatency(false)}
        />
      )}
      {camera.data !== undefined && <DetectionBanner camera={camera.data} />}
      {sound && <LiveSound cameraId={cameraId} onEnded={silence} />}
      {history && camera.data !== undefined && (
        <CameraHistory camera={camera.data} onClose={() => setHistory(false)} />
      )}
      <QueryView query={camera} skeleton={<Waiting />}>
        {(data) => (
          <LivePicture
            camera={data}
            boxes={boxes}
            lowLatency={lowLatency}
            onLowLatencyFailed={setRefused}
            toggleFull={full.toggle}
            report={report}
            onReport={setReport}
          />
        )}
      </QueryView>
    </FullScreen>
  );
}
