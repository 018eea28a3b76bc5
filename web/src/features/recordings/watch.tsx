/**
 * What is shown of a camera's recordings: the player, the timeline below it, also in full screen, and what can be done
 * with the recording that is selected. Only this file knows how they stand together.
 */
import type { Recording } from '@nazar/contract/recordings.ts';
import { useNavigate } from '@tanstack/react-router';
import { Film } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { useSignal } from '#lib/signal.ts';
import type { RecordedPlayback } from '#parts/player/recorded/recorded-playback.ts';
import { RecordedPlayer } from '#parts/player/recorded/recorded-player.tsx';
import type { Transport } from '#parts/player/recorded/transport.ts';
import { DayTimeline } from './day-timeline.tsx';
import type { Period } from './handover/period.ts';
import { MomentLink } from './moment-link.tsx';
import type { SelectedRecordingProps } from './selected-recording.tsx';
import { CameraChooser } from './several/camera-chooser.tsx';
import type { SeveralCamerasProps } from './several/several-cameras.tsx';
import type { Several } from './several/use-several.ts';
import { ScrubStill } from './timeline/recorded-timeline.tsx';
import { useScrub } from './timeline/scrub.ts';
import type { ArchiveCamera } from './use-archive-camera.ts';

/** Only once something is selected. */
const { Component: SelectedRecording } = onDemand<SelectedRecordingProps>(
  async () => (await import('./selected-recording.tsx')).SelectedRecording,
);

const { Component: SeveralCameras } = onDemand<SeveralCamerasProps>(
  async () => (await import('./several/several-cameras.tsx')).SeveralCameras,
);

export interface WatchProps {
  camera: ArchiveCamera;
  /** Plays this camera alone. */
  own: RecordedPlayback;
  /** The cameras that play in step with it. */
  several: Several;
  /** Plays what is shown: that camera, or all. */
  playback: Transport;
  /** Which cameras play with it from now on. */
  onFurther: (ids: readonly string[]) => void;
  /** What the timeline shows at first. Null: not known yet. */
  day: string | null;
  timezone: string;
  /** What is to be handed over: two handles on the timeline. */
  selection: Period | null;
  onSelection: (selection: Period) => void;
  /** Null until one is chosen. */
  recording: Recording | null;
  /** The user pressed Play before anything was chosen. */
  onPlay: () => void;
  /** Writes the moment that is shown into the address, and returns that address. */
  onLink: (momentMs: number) => string;
  onDone: (sentence: string) => void;
  onFailed: (sentence: string) => void;
  onDeleted: () => void;
}

/** In place of a picture, until a recording or a moment is chosen. */
function NothingChosen() {
  const { t } = useTranslation();
  return (
    <p className="pointer-events-none absolute inset-0 grid content-center justify-items-center gap-2 p-4 text-center text-ui text-white">
      <Film aria-hidden className="size-8 opacity-70" />
      {t('recordings.choose')}
    </p>
  );
}

/** Another camera's page, at the moment that was shown of both. */
const aloneAt = (cameraId: string, momentMs: number | null) => ({
  to: '/recordings/$cameraId' as const,
  params: { cameraId },
  search: momentMs === null ? {} : { at: new Date(momentMs).toISOString() },
});

export function Watch(props: WatchProps) {
  const { camera, own, several, playback, day, timezone, recording, onPlay } = props;
  const scrub = useScrub();
  const navigate = useNavigate();
  const isChosen = useSignal(playback.momentMs) !== null;
  const isPlaying = useSignal(playback.isPlaying);
  useEffect(() => {
    if (isPlaying && !isChosen) onPlay();
    // oxlint-disable-next-line react/exhaustive-deps -- `onPlay` is another at each render, and does the same
  }, [isPlaying, isChosen]);
  /** A player of its own for each: the one before may have in its buffer what was deleted. */
  const [round, setRound] = useState(0);
  const deleted = (): void => {
    playback.setPlaying(false);
    // Now, and not only with its player: the next one must not begin with the picture of this one.
    own.detach();
    setRound(round + 1);
    props.onDeleted();
  };
  const toLive = (cameraId: string): void =>
    void navigate({ to: '/cameras/$cameraId', params: { cameraId } });
  const alone = (cameraId: string): void => {
    if (cameraId === camera.id) props.onFurther([]);
    else void navigate(aloneAt(cameraId, playback.momentMs.get()));
  };
  const isSeveral = several.further.length > 0;
  const over = (cameraId: string) => (
    <ScrubStill scrub={scrub} cameraId={cameraId} timezone={timezone} hasTime={!isSeveral} />
  );
  const nothing = isChosen ? null : <NothingChosen />;
  const timeline = day !== null && (
    <DayTimeline
      camera={camera}
      cameras={several.cameras}
      playback={playback}
      day={day}
      timezone={timezone}
      scrub={scrub}
      selection={props.selection}
      onSelection={props.onSelection}
    />
  );
  return (
    <div className="card overflow-hidden">
      {isSeveral ? (
        <SeveralCameras
          key={round}
          several={several}
          camera={camera}
          own={own}
          onAlone={alone}
          onLive={toLive}
          over={over}
          overlay={nothing}
        >
          {timeline}
        </SeveralCameras>
      ) : (
        <RecordedPlayer
          key={round}
          playback={own}
          camera={camera}
          {...(camera.deletedAt === null && { onLive: () => toLive(camera.id) })}
          overlay={
            <>
              {nothing}
              {over(camera.id)}
            </>
          }
        >
          {timeline}
        </RecordedPlayer>
      )}
      <div className="flex flex-wrap items-center gap-x-4 px-3 pb-2">
        {isChosen && <MomentLink playback={playback} onLink={props.onLink} />}
        <CameraChooser camera={camera} further={several.further} onFurther={props.onFurther} />
      </div>
      {recording !== null && (
        <SelectedRecording
          key={recording.id}
          recording={recording}
          onDone={props.onDone}
          onFailed={props.onFailed}
          onDeleted={deleted}
        />
      )}
    </div>
  );
}
