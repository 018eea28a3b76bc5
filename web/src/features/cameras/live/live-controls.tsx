/** The buttons below a live picture. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { useNavigate } from '@tanstack/react-router';
import {
  Camera as CameraIcon,
  ChartNoAxesColumn,
  Keyboard,
  PictureInPicture2,
  RotateCcw,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { hasPictureInPicture } from '#parts/player/live/use-picture-in-picture.ts';
import type { LiveTransport } from '#parts/player/live/transport-selector.ts';
import { maxScale } from '#parts/player/recorded/zoom.ts';
import { IconButton } from '#ui/icon-button.tsx';
import type { LiveCommand } from './use-live-commands.ts';

const backMs = 30_000;

/** What was recorded half a minute before the button is pressed. */
function BackButton({ cameraId }: { cameraId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const go = (): void => {
    const at = new Date(Date.now() - backMs).toISOString();
    void navigate({ to: '/recordings/$cameraId', params: { cameraId }, search: { at } });
  };
  return (
    <IconButton label={t('liveView.back30')} onClick={go}>
      <RotateCcw aria-hidden />
    </IconButton>
  );
}

export interface LiveControlsProps {
  camera: Camera;
  /** What shows the picture; null: there is none. */
  shown: LiveTransport | null;
  scale: number;
  statistics: boolean;
  onStatistics: () => void;
  onCommand: (command: LiveCommand) => void;
  onFloat: () => void;
  children: ReactNode;
}

export function LiveControls(props: LiveControlsProps) {
  const { camera, shown, scale, statistics, onCommand } = props;
  const { t } = useTranslation();
  // A button that was pressed to its end keeps the focus, or the keys would end, too: `aria-disabled`.
  const button = (
    command: LiveCommand,
    label: string,
    Icon: typeof ZoomIn,
    rest: Pick<ComponentProps<'button'>, 'disabled' | 'aria-disabled'> = {},
  ) => (
    <IconButton label={label} onClick={() => onCommand(command)} {...rest}>
      <Icon aria-hidden />
    </IconButton>
  );
  return (
    <fieldset
      aria-label={t('liveView.controls')}
      className="flex min-w-0 flex-wrap items-center gap-1 border-t border-line px-2 py-1.5 sm:px-4"
    >
      {camera.may_play && <BackButton cameraId={camera.id} />}
      {button('save', t('recorded.key.save'), CameraIcon, { disabled: shown === null })}
      {button('zoomOut', t('liveView.zoomOut'), ZoomOut, { 'aria-disabled': scale === 1 })}
      {button('zoomIn', t('liveView.zoomIn'), ZoomIn, { 'aria-disabled': scale === maxScale })}
      {hasPictureInPicture() && shown !== 'jpeg' && (
        <IconButton label={t('liveView.float')} disabled={shown === null} onClick={props.onFloat}>
          <PictureInPicture2 aria-hidden />
        </IconButton>
      )}
      <IconButton
        label={t('liveView.statistics')}
        aria-pressed={statistics}
        onClick={props.onStatistics}
      >
        <ChartNoAxesColumn aria-hidden />
      </IconButton>
      {button('keys', t('recorded.key.keys'), Keyboard)}
      <span className="grow" />
      {props.children}
    </fieldset>
  );
}
