/** Which key does what in the list, and whether keys do anything. */
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import { KeyCaps } from '#ui/key-caps.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Switch } from '#ui/switch.tsx';
import { keyRows } from './alert-keys.ts';
import { setShortcuts, shortcuts } from './shortcuts.ts';

export interface KeySheetProps {
  open: boolean;
  onClose: () => void;
}

export function KeySheet({ open, onClose }: KeySheetProps) {
  const { t } = useTranslation();
  const areOn = useSignal(shortcuts) === 'on';
  const rows = keyRows.map(({ cap, words }) => ({ caps: [cap], label: t(words) }));
  return (
    <Dialog open={open} onClose={onClose} title={t('alerts.keys.title')}>
      <div className="grid gap-4">
        <Switch
          label={t('alerts.keys.areOn')}
          checked={areOn}
          onChange={({ target }) => setShortcuts(target.checked ? 'on' : 'off')}
        />
        <KeyCaps rows={rows} />
      </div>
    </Dialog>
  );
}
