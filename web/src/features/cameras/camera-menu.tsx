import type { Camera } from '@nazar/contract/cameras.ts';
import { Link } from '@tanstack/react-router';
import {
  Circle,
  CircleStop,
  Copy,
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
  Zap,
} from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { hasPeers } from '#parts/player/has-peers.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#ui/menu.tsx';
import { isStoppedByHand } from './camera-words.ts';
import { DetectionEntry } from './detection/detection-entry.tsx';

/** What changes a camera: administrators' own. */
export interface CameraChanges {
  readonly edit: (camera: Camera) => void;
  /** Not for the demo camera: there is only one. */
  readonly clone: (camera: Camera) => void;
  readonly switchStatus: (camera: Camera) => void;
  readonly toggleRecording: (camera: Camera) => void;
  readonly remove: (camera: Camera) => void;
  readonly zones: (camera: Camera) => void;
}

/** What may be done with the cameras of the list. Null: hidden from this user, whom the server would refuse. */
export interface CameraActions {
  readonly changes: CameraChanges | null;
  readonly test: ((camera: Camera) => void) | null;
  readonly viewers: ((camera: Camera) => void) | null;
  readonly history: (camera: Camera) => void;
  /** Shown to users who may play what is recorded; those who may not change cameras only read them. */
  readonly recordingSettings: (camera: Camera) => void;
}

export interface CameraMenuProps {
  camera: Camera;
  actions: CameraActions;
}

/** Every user has a menu, with the entries that the server allows them, in the stated order. */
export function CameraMenu({ camera, actions }: CameraMenuProps) {
  const { t } = useTranslation();
  const { changes } = actions;
  return (
    <Menu
      side="left"
      align="start"
      trigger={
        <IconButton label={t('cameras.menu', { name: camera.name })} small tooltip={false}>
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    >
      {changes !== null && <Switches camera={camera} changes={changes} />}
      <DetectionEntry camera={camera} />
      <Uses camera={camera} actions={actions} />
      <Surroundings camera={camera} actions={actions} />
      {changes !== null && <Removal camera={camera} changes={changes} />}
    </Menu>
  );
}

interface ChangeEntriesProps {
  camera: Camera;
  changes: CameraChanges;
}

function Switches({ camera, changes }: ChangeEntriesProps) {
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
    </>
  );
}

/** What one does with a camera that stays as it is. */
function Uses({ camera, actions: { test } }: CameraMenuProps) {
  const { t } = useTranslation();
  const params = { cameraId: camera.id };
  return (
    <>
      {test !== null && (
        <MenuItem icon={<PlugZap aria-hidden />} onSelect={() => test(camera)}>
          {t('cameras.test')}
        </MenuItem>
      )}
      {camera.may_play && (
        <MenuLink>
          <Link to="/recordings/$cameraId" params={params}>
            <Film aria-hidden className="text-muted" />
            {t('recordingControl.view')}
          </Link>
        </MenuLink>
      )}
      {hasPeers() && (
        <MenuLink>
          <Link
            from="/cameras"
            to="/cameras/$cameraId"
            params={params}
            search={(filters) => ({ ...filters, low_latency: true })}
            resetScroll={false}
          >
            <Zap aria-hidden className="text-muted" />
            {t('live.lowLatency')}
          </Link>
        </MenuLink>
      )}
    </>
  );
}

/** What is known of a camera, and set beside it. */
function Surroundings({ camera, actions }: CameraMenuProps) {
  const { t } = useTranslation();
  const { changes, viewers, history, recordingSettings } = actions;
  return (
    <>
      {camera.may_play && (
        <MenuItem
          icon={<SlidersHorizontal aria-hidden />}
          onSelect={() => recordingSettings(camera)}
        >
          {t('recordingControl.settings')}
        </MenuItem>
      )}
      {changes !== null && (
        <MenuItem icon={<Pentagon aria-hidden />} onSelect={() => changes.zones(camera)}>
          {t('zones.open')}
        </MenuItem>
      )}
      {viewers !== null && (
        <MenuItem icon={<Users aria-hidden />} onSelect={() => viewers(camera)}>
          {t('access.viewers')}
        </MenuItem>
      )}
      <MenuItem icon={<HistoryIcon aria-hidden />} onSelect={() => history(camera)}>
        {t('history.open')}
      </MenuItem>
    </>
  );
}

function Removal({ camera, changes }: ChangeEntriesProps) {
  const { t } = useTranslation();
  return (
    <>
      {!camera.is_demo && (
        <MenuItem icon={<Copy aria-hidden />} onSelect={() => changes.clone(camera)}>
          {t('cameraAdding.clone')}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => changes.remove(camera)}>
        {t('cameras.delete')}
      </MenuItem>
    </>
  );
}
