import type { Camera } from '@nazar/contract/cameras.ts';
import {
  EllipsisVertical,
  History as HistoryIcon,
  Pencil,
  Pentagon,
  PlugZap,
  Power,
  PowerOff,
  Trash2,
  Users,
} from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '#ui/menu.tsx';

/** What may be done with a camera; absent for those who may only look (NSH-017). */
export interface CameraActions {
  readonly edit: (camera: Camera) => void;
  readonly switchStatus: (camera: Camera) => void;
  readonly test: (camera: Camera) => void;
  readonly remove: (camera: Camera) => void;
  readonly viewers: (camera: Camera) => void;
  readonly zones: (camera: Camera) => void;
  readonly history: (camera: Camera) => void;
}

export interface CameraMenuProps {
  camera: Camera;
  actions: CameraActions | null;
}

/** CAM-019, CAM-020, with the entries whose functions exist. */
export function CameraMenu({ camera, actions }: CameraMenuProps) {
  const { t } = useTranslation();
  if (actions === null) return null;
  const active = camera.status === 'active';
  return (
    <Menu
      trigger={
        <IconButton label={t('cameras.menu', { name: camera.name })} small tooltip={false}>
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    >
      <MenuItem icon={<Pencil aria-hidden />} onSelect={() => actions.edit(camera)}>
        {t('cameras.edit')}
      </MenuItem>
      <MenuItem
        icon={active ? <PowerOff aria-hidden /> : <Power aria-hidden />}
        onSelect={() => actions.switchStatus(camera)}
      >
        {active ? t('cameras.deactivate') : t('cameras.activate')}
      </MenuItem>
      <MenuItem icon={<PlugZap aria-hidden />} onSelect={() => actions.test(camera)}>
        {t('cameras.test')}
      </MenuItem>
      <MenuItem icon={<Pentagon aria-hidden />} onSelect={() => actions.zones(camera)}>
        {t('zones.open')}
      </MenuItem>
      <MenuItem icon={<Users aria-hidden />} onSelect={() => actions.viewers(camera)}>
        {t('access.viewers')}
      </MenuItem>
      <MenuItem icon={<HistoryIcon aria-hidden />} onSelect={() => actions.history(camera)}>
        {t('history.open')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => actions.remove(camera)}>
        {t('cameras.delete')}
      </MenuItem>
    </Menu>
  );
}
