/** The actions of a live view: buttons in its head, or a menu where there is no room for them. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { Link } from '@tanstack/react-router';
import {
  EllipsisVertical,
  Film,
  History as HistoryIcon,
  ScanFace,
  Volume2,
  VolumeX,
  Zap,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useMedia } from '#lib/use-media.ts';
import { hasPeers } from '#parts/player/has-peers.ts';
import { buttonClass } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Menu, MenuItem, MenuLink } from '#ui/menu.tsx';
import { DetectButton, useDetectSwitch } from '../detection/detect-button.tsx';
import { OwnWindowButton } from '../detection/own-window.tsx';
import { useMayDetect } from '../detection/use-detecting.ts';

export interface LiveChoices {
  readonly boxes: boolean;
  readonly setBoxes: (on: boolean) => void;
  readonly sound: boolean;
  readonly setSound: (on: boolean) => void;
  /** False as well where it was switched on and does not work. */
  readonly lowLatency: boolean;
  readonly setLowLatency: (on: boolean) => void;
  readonly openHistory: () => void;
}

interface Action {
  readonly key: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** Absent: the action is no switch. */
  readonly isOn?: boolean;
  readonly run: () => void;
}

/** Tailwind's `sm`: below it the head has room for three buttons. */
const narrow = '(width < 40rem)';

/** All actions but detection. Users who may not start detection get a switch that shows and hides boxes. */
function useActions(camera: Camera, choices: LiveChoices, isFull: boolean): Action[] {
  const { t } = useTranslation();
  const { boxes, sound, lowLatency } = choices;
  const soundAction: Action = {
    key: 'sound',
    label: t('live.sound'),
    icon: sound ? <Volume2 aria-hidden /> : <VolumeX aria-hidden />,
    isOn: sound,
    run: () => choices.setSound(!sound),
  };
  // An element in full screen covers dialogs.
  const history: Action = {
    key: 'history',
    label: t('history.open'),
    icon: <HistoryIcon aria-hidden />,
    run: choices.openHistory,
  };
  const fast: Action = {
    key: 'lowLatency',
    label: t('live.lowLatency'),
    icon: <Zap aria-hidden />,
    isOn: lowLatency,
    run: () => choices.setLowLatency(!lowLatency),
  };
  const faces: Action = {
    key: 'faces',
    label: t('live.faces'),
    icon: <ScanFace aria-hidden />,
    isOn: boxes,
    run: () => choices.setBoxes(!boxes),
  };
  return [
    ...(camera.health.sound === null ? [] : [soundAction]),
    ...(isFull ? [] : [history]),
    ...(hasPeers() ? [fast] : []),
    ...(useMayDetect(camera) ? [] : [faces]),
  ];
}

export interface LiveActionsProps {
  camera: Camera;
  choices: LiveChoices;
  isFull: boolean;
}

export function LiveActions({ camera, choices, isFull }: LiveActionsProps) {
  const { t } = useTranslation();
  const isNarrow = useMedia(narrow);
  const actions = useActions(camera, choices, isFull);
  const mayDetect = useMayDetect(camera);
  const detect = useDetectSwitch(camera);
  const recordings = { to: '/recordings/$cameraId', params: { cameraId: camera.id } } as const;
  if (!isNarrow) {
    return (
      <>
        {camera.may_play && (
          <Link {...recordings} className={buttonClass('ghost', 'small')}>
            <Film aria-hidden />
            {t('recordingControl.viewLink')}
          </Link>
        )}
        {actions.map(({ key, label, icon, isOn, run }) => (
          <IconButton key={key} label={label} aria-pressed={isOn} onClick={run}>
            {icon}
          </IconButton>
        ))}
        {mayDetect && <DetectButton {...detect} />}
        <OwnWindowButton cameraId={camera.id} />
      </>
    );
  }
  return (
    <Menu
      trigger={
        <IconButton label={t('liveView.more')} tooltip={false}>
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    >
      {camera.may_play && (
        <MenuLink>
          <Link {...recordings}>
            <Film aria-hidden />
            {t('recordingControl.viewLink')}
          </Link>
        </MenuLink>
      )}
      {mayDetect && (
        <MenuItem icon={<ScanFace aria-hidden />} onSelect={detect.toggle}>
          {detect.label}
        </MenuItem>
      )}
      {actions.map(({ key, label, icon, isOn, run }) => (
        <MenuItem key={key} icon={icon} checked={isOn} onSelect={run}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}
