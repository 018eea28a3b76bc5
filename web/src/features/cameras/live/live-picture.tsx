/** The picture of a live view and what is done with it. */
import type { Camera, StreamName } from '@nazar/contract/cameras.ts';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { cx } from '#lib/class-names.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { signal, useSignal } from '#lib/signal.ts';
import type { LivePlayer } from '#parts/player/live-player.ts';
import type { LiveReport } from '#parts/player/live-view.tsx';
import type { LiveTransport } from '#parts/player/live/transport-selector.ts';
import { PeopleInView } from '#parts/player/people-in-view.tsx';
import { KeyList } from '#parts/player/recorded/key-list.tsx';
import { pressed } from '#parts/player/recorded/pressed.ts';
import { Banner } from '#ui/banner.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { CameraPicture } from '../detection/camera-picture.tsx';
import { EncodedNote } from '../encoded-note.tsx';
import { MovePad } from '../move/move-pad.tsx';
import { AddressPreview } from './address-preview.tsx';
import { LiveControls } from './live-controls.tsx';
import { LiveStatistics, type TransportChoice } from './live-statistics.tsx';
import { StreamChoice } from './stream-choice.tsx';
import { isLiveCommand, useLiveCommands } from './use-live-commands.ts';
import { usePresence } from './use-presence.ts';

const noTransport = signal<LiveTransport | null>(null);

export interface LivePictureProps {
  camera: Camera;
  boxes: boolean;
  lowLatency: boolean;
  onLowLatencyFailed: (reason: string | null) => void;
  toggleFull: () => void;
  /** What this viewer gets, as last reported. */
  report: LiveReport;
  onReport: (report: LiveReport) => void;
}

function ZoomBadge({ scale, onWhole }: { scale: number; onWhole: () => void }) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  if (scale === 1) return null;
  return (
    <span className="absolute top-2 right-2 flex items-center gap-1">
      <output className="rounded-control bg-black/75 px-2 py-1 text-meta font-medium text-white tabular-nums">
        {t('recorded.times', { speed: formatNumber(scale, { maximumFractionDigits: 1 }) })}
      </output>
      <IconButton look="glass" small label={t('recorded.key.zoomWhole')} onClick={onWhole}>
        <X aria-hidden />
      </IconButton>
    </span>
  );
}

export function LivePicture(props: LivePictureProps) {
  const { camera, boxes, lowLatency, onLowLatencyFailed, toggleFull, report, onReport } = props;
  const { t } = useTranslation();
  const { present, see } = usePresence();
  const [stream, setStream] = useState<StreamName>('main');
  const [player, setPlayer] = useState<LivePlayer | null>(null);
  const [statistics, setStatistics] = useState(false);
  const [choice, setChoice] = useState<TransportChoice>('auto');
  const picture = useRef<HTMLDivElement>(null);
  const live = useLiveCommands(camera, player, toggleFull, picture);
  const shown = useSignal(player?.transport ?? noTransport);
  const { scale } = live.zoom;
  const isActive = camera.status === 'active';
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its keys are those of the buttons in it
    <section
      aria-label={t('live.title')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys work wherever in it the focus is
      tabIndex={0}
      onKeyDown={(event) =>
        pressed(event, (command) => isLiveCommand(command) && live.run(command), isLiveCommand)
      }
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="relative flex min-h-0 flex-1 flex-col">
        <div
          ref={picture}
          data-zoomed={scale > 1}
          className={cx(
            'flex min-h-0 flex-1 flex-col select-none',
            scale > 1 ? 'cursor-grab touch-none' : 'touch-pan-y',
          )}
        >
          <CameraPicture
            place="screen"
            camera={camera}
            stream={stream}
            boxes={boxes}
            lowLatency={lowLatency}
            onLowLatencyFailed={onLowLatencyFailed}
            transport={choice === 'auto' ? undefined : choice}
            onPlayer={setPlayer}
            zoom={live.zoom}
            onFaces={see}
            onReport={onReport}
            isShort
            noUrlText={t('live.noUrl')}
            className="min-h-0 flex-1"
          />
        </div>
        <AddressPreview camera={camera} />
        {statistics && (
          <LiveStatistics camera={camera} player={player} choice={choice} onChoice={setChoice} />
        )}
        <ZoomBadge scale={scale} onWhole={() => live.run('zoomWhole')} />
      </div>
      {live.trouble !== null && (
        <div className="p-2">
          <Banner tone="error" onClose={live.forgetTrouble}>
            {live.trouble}
          </Banner>
        </div>
      )}
      {isActive && camera.has_url && (
        <LiveControls
          camera={camera}
          shown={shown}
          scale={scale}
          statistics={statistics}
          onStatistics={() => setStatistics(!statistics)}
          onCommand={live.run}
          onFloat={live.float}
        >
          <StreamChoice camera={camera} stream={stream} onStream={setStream} />
        </LiveControls>
      )}
      <EncodedNote camera={camera} stream={stream} onStream={setStream} />
      {camera.may_move && isActive && (
        <div className="border-t border-line px-4 py-2">
          <MovePad camera={camera} />
        </div>
      )}
      {/* Who is in view of a picture that does not move is not known. */}
      {camera.enable_face_recognition && isActive && report.view.kind === 'playing' && (
        <footer className="border-t border-line px-4 py-2.5">
          <PeopleInView present={present} />
        </footer>
      )}
      <KeyList open={live.keys} onClose={live.closeKeys} has={isLiveCommand} />
    </section>
  );
}
