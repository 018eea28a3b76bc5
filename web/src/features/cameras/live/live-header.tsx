/** The head of a live view: the way back, what the camera does, and what can be done. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, Maximize, Minimize, X } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { buttonClass } from '#ui/button.tsx';
import { FullScreenTitle } from '#ui/full-screen.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { listSearch } from '../camera-filters.ts';
import { CameraStateLine } from '#parts/camera-state/camera-state-line.tsx';
import { useReportedState } from '#parts/camera-state/use-camera-state.ts';
import type { LiveReport } from '#parts/player/live-view.tsx';
import { CameraNotes } from '../camera-badges.tsx';
import { LiveActions, type LiveChoices } from './live-actions.tsx';
import type { FullScreenSwitch } from './use-full-screen.ts';

export interface LiveHeaderProps {
  /** Undefined until it is known. */
  camera: Camera | undefined;
  /** What this viewer gets. */
  report: LiveReport;
  /** When the camera was last asked for, where the server can't be asked now; null: it is of now. */
  knownAtMs: number | null;
  choices: LiveChoices;
  full: FullScreenSwitch;
  onClose: () => void;
}

interface StateProps extends Pick<LiveHeaderProps, 'report' | 'knownAtMs'> {
  camera: Camera;
}

function State({ camera, report, knownAtMs }: StateProps) {
  return <CameraStateLine state={useReportedState(camera, report, knownAtMs)} announce />;
}

export function LiveHeader({ camera, report, knownAtMs, choices, full, onClose }: LiveHeaderProps) {
  const { t } = useTranslation();
  const { isFull } = full;
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-2 py-2 sm:px-4">
      <Link
        from="/cameras"
        to="/cameras"
        search={listSearch}
        replace
        resetScroll={false}
        className={buttonClass('ghost', 'small')}
      >
        <ArrowLeft aria-hidden />
        {t('live.back')}
      </Link>
      <div className="order-last w-full min-w-0 px-2 sm:order-none sm:w-auto sm:flex-1 sm:px-0">
        <FullScreenTitle>{camera?.name ?? t('live.title')}</FullScreenTitle>
        {camera !== undefined && <State {...{ camera, report, knownAtMs }} />}
        {camera !== undefined && <CameraNotes camera={camera} />}
      </div>
      <div className="ml-auto flex items-center gap-1">
        {camera !== undefined && <LiveActions camera={camera} choices={choices} isFull={isFull} />}
        <IconButton
          label={isFull ? t('live.exitFullscreen') : t('live.fullscreen')}
          onClick={full.toggle}
        >
          {isFull ? <Minimize aria-hidden /> : <Maximize aria-hidden />}
        </IconButton>
        <IconButton label={t('ui.close')} onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
    </header>
  );
}
