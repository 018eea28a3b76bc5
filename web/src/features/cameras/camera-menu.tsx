import type { Camera } from '@nazar/contract/cameras.ts';
import { Link } from '@tanstack/react-router';
import {
  Circle,
  CircleStop,
  EllipsisVertical,
  Film,
  History as HistoryIcon,
  Pencil,
  Pentagon,
  PlugZap,
  Power,
  PowerOff,
  SlidersHorizontal,
  Trash2,
  Users,
} from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#ui/menu.tsx';
import { isStoppedByHand } from './camera-words.ts';
import { DetectionEntry } from './detection/detection-entry.tsx';

/** What changes a camera. */
export interface CameraChanges {
  readonly edit: (camera: Camera) => void;
  readonly switchStatus: (camera: Camera) => void;
  readonly toggleRecording: (camera: Camera) => void;
  readonly test: (camera: Camera) => void;
  readonly remove: (camera: Camera) => void;
  readonly viewers: (camera: Camera) => void;
  readonly zones: (camera: Camera) => void;
  readonly history: (camera: Camera) => void;
}

export interface CameraActions {
  /** Null for those who may only look (NSH-017). */
  readonly changes: CameraChanges | null;
  /** Shown to whoever may play what is recorded; who may not change cameras only reads them (NSH-049). */
  readonly recordingSettings: (camera: Camera) => void;
}

/** Whether there is anything to choose from. */
export const hasMenu = ({ may_play, may_detect }: Camera, { changes }: CameraActions): boolean =>
  changes !== null || may_play || may_detect;

export interface CameraMenuProps {
  camera: Camera;
  actions: CameraActions;
}

/** CAM-019, CAM-020, with the entries whose functions exist. */
export function CameraMenu({ camera, actions }: CameraMenuProps) {
  const { t } = useTranslation();
  if (!hasMenu(camera, actions)) return null;
  const { changes } = actions;
  return (
    <Menu
      trigger={
        <IconButton label={t('cameras.menu', { name: camera.name })} small tooltip={false}>
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    >
      {changes !== null && <Switches camera={camera} changes={changes} />}
      {camera.may_detect && <DetectionEntry camera={camera} />}
      {camera.may_play && (
        <Recordings camera={camera} onSettings={() => actions.recordingSettings(camera)} />
      )}
      {changes !== null && <Surroundings camera={camera} changes={changes} />}
    </Menu>
  );
}

interface EntriesProps {
  camera: Camera;
  changes: CameraChanges;
}

function Switches({ camera, changes }: EntriesProps) {
  const { t } = useTranslation();
  const active = camera.status === 'active';
  const recorded = isStoppedByHand(camera);
  return (
    <>
      <MenuItem icon={<Pencil aria-hidden />} onSelect={() => changes.edit(camera)}>
        {t('cameras.edit')}
      </MenuItem>
      <MenuItem
        icon={active ? <PowerOff aria-hidden /> : <Power aria-hidden />}
        onSelect={() => changes.switchStatus(camera)}
      >
        {active ? t('cameras.deactivate') : t('cameras.activate')}
      </MenuItem>
      <MenuItem
        icon={recorded ? <CircleStop aria-hidden /> : <Circle aria-hidden />}
        onSelect={() => changes.toggleRecording(camera)}
      >
        {recorded ? t('recordingControl.stop') : t('recordingControl.start')}
      </MenuItem>
      <MenuItem icon={<PlugZap aria-hidden />} onSelect={() => changes.test(camera)}>
        {t('cameras.test')}
      </MenuItem>
    </>
  );
}

/** CAM-032. */
function Recordings({ camera, onSettings }: { camera: Camera; onSettings: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <MenuLink>
        <Link to="/recordings/$cameraId" params={{ cameraId: camera.id }}>
          <Film aria-hidden className="text-muted" />
          {t('recordingControl.view')}
        </Link>
      </MenuLink>
      <MenuItem icon={<SlidersHorizontal aria-hidden />} onSelect={onSettings}>
        {t('recordingControl.settings')}
      </MenuItem>
    </>
  );
}

function Surroundings({ camera, changes }: EntriesProps) {
  const { t } = useTranslation();
  return (
    <>
      <MenuItem icon={<Pentagon aria-hidden />} onSelect={() => changes.zones(camera)}>
        {t('zones.open')}
      </MenuItem>
      <MenuItem icon={<Users aria-hidden />} onSelect={() => changes.viewers(camera)}>
        {t('access.viewers')}
      </MenuItem>
      <MenuItem icon={<HistoryIcon aria-hidden />} onSelect={() => changes.history(camera)}>
        {t('history.open')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => changes.remove(camera)}>
        {t('cameras.delete')}
      </MenuItem>
    </>
  );
}
