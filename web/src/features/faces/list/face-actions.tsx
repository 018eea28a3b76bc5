import type { Face } from '@nazar/contract/faces.ts';
import { Ellipsis, Eye, ImagePlus, Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { mayChangeFace } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Menu, MenuItem } from '#ui/menu.tsx';
import type { FaceAction } from '../dialog.ts';
import { fullName } from '../recognition.ts';

/** What a list offers; the rest is offered by the details. */
type ListAction = Exclude<FaceAction, 'consent' | 'export' | 'erase'>;

const icons = { details: Eye, images: ImagePlus, edit: Pencil, remove: Trash2 };

export interface FaceActionsProps {
  face: Face;
  onAction: (action: FaceAction) => void;
}

/** Who may not change a person is not offered it. */
function useActions(face: Face): readonly ListAction[] {
  const user = useUser();
  return mayChangeFace(user, face) ? ['details', 'images', 'edit', 'remove'] : ['details'];
}

/** What one can do, side by side. */
export function FaceButtons({ face, onAction }: FaceActionsProps) {
  const { t } = useTranslation();
  const name = fullName(face);
  return (
    <div className="flex justify-between gap-1">
      {useActions(face).map((action) => {
        const Icon = icons[action];
        return (
          <IconButton
            key={action}
            label={t(`faces.action.${action}`, { name })}
            className={action === 'remove' ? 'hover:text-danger-text' : ''}
            onClick={() => onAction(action)}
          >
            <Icon aria-hidden />
          </IconButton>
        );
      })}
    </div>
  );
}

/** The same as a menu, where a row has no room. */
export function FaceMenu({ face, onAction }: FaceActionsProps) {
  const { t } = useTranslation();
  const actions = useActions(face);
  return (
    <Menu
      trigger={
        <IconButton label={t('faces.actionsOf', { name: fullName(face) })} tooltip={false}>
          <Ellipsis aria-hidden />
        </IconButton>
      }
    >
      {actions.map((action) => {
        const Icon = icons[action];
        return (
          <MenuItem
            key={action}
            icon={<Icon aria-hidden />}
            danger={action === 'remove'}
            onSelect={() => onAction(action)}
          >
            {t(`faces.menu.${action}`)}
          </MenuItem>
        );
      })}
    </Menu>
  );
}
