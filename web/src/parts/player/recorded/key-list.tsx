/** Which key does what. */
import { useTranslation } from '#lib/i18n.ts';
import { Dialog } from '#ui/dialog.tsx';
import { KeyCaps } from '#ui/key-caps.tsx';
import { keyRows, type PlayerCommand } from './player-keys.ts';

const named = ['space', 'shift'] as const;
type Named = (typeof named)[number];
const isNamed = (cap: string): cap is Named => (named as readonly string[]).includes(cap);

export interface KeyListProps {
  open: boolean;
  onClose: () => void;
  /** Absent: all. */
  has?: (command: PlayerCommand) => boolean;
}

export function KeyList({ open, onClose, has = () => true }: KeyListProps) {
  const { t } = useTranslation();
  const rows = keyRows
    .filter(({ command }) => has(command))
    .map(({ command, caps }) => ({
      caps: caps.map((cap) => (isNamed(cap) ? t(`recorded.cap.${cap}`) : cap)),
      label: t(`recorded.key.${command}`),
    }));
  return (
    <Dialog open={open} onClose={onClose} title={t('recorded.keys')}>
      <KeyCaps rows={rows} />
    </Dialog>
  );
}
