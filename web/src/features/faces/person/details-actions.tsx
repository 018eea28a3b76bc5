/** What can be done with the person whose details are open: in a narrow window all but the main one is in a menu. */
import type { Face } from '@nazar/contract/faces.ts';
import { ChevronUp, Download, Eraser, FileCheck, ImagePlus, Pencil } from 'lucide-react';
import { mayChangeFace } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useMedia } from '#lib/use-media.ts';
import { Actions } from '#ui/actions.tsx';
import { Button } from '#ui/button.tsx';
import { Menu, MenuItem } from '#ui/menu.tsx';
import type { FaceAction } from '../dialog.ts';

/** Five buttons in Russian are 55rem long: in a window that is narrower their labels break. */
const narrow = '(width < 64rem)';

const others = [
  { action: 'export', label: 'consent.export', Icon: Download },
  { action: 'erase', label: 'consent.erase', Icon: Eraser },
  { action: 'consent', label: 'consent.title', Icon: FileCheck },
  { action: 'images', label: 'faces.addImages', Icon: ImagePlus },
] as const;

interface DetailsActionsProps {
  face: Face;
  onAction: (action: FaceAction, face: Face) => void;
}

export function DetailsActions({ face, onAction }: DetailsActionsProps) {
  const { t } = useTranslation();
  const isNarrow = useMedia(narrow);
  const mayChange = mayChangeFace(useUser(), face);
  // Who may not change a person is not offered it.
  const offered = mayChange ? others : others.slice(0, 1);
  const buttons = offered.map(({ action, label, Icon }) => (
    <Button key={action} look="secondary" onClick={() => onAction(action, face)}>
      <Icon aria-hidden />
      {t(label)}
    </Button>
  ));
  const menu = (
    <Menu
      trigger={
        <Button look="secondary">
          {t('ui.moreActions')}
          <ChevronUp aria-hidden />
        </Button>
      }
    >
      {offered.map(({ action, label, Icon }) => (
        <MenuItem key={action} icon={<Icon aria-hidden />} onSelect={() => onAction(action, face)}>
          {t(label)}
        </MenuItem>
      ))}
    </Menu>
  );
  return (
    <Actions>
      {isNarrow && mayChange ? menu : buttons}
      {mayChange && (
        <Button onClick={() => onAction('edit', face)}>
          <Pencil aria-hidden />
          {t('faces.menu.edit')}
        </Button>
      )}
    </Actions>
  );
}
