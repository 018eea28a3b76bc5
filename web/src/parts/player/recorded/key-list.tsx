/** Which key does what. */
import { useTranslation } from '#lib/i18n.ts';
import { Dialog } from '#ui/dialog.tsx';
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
  const shown = keyRows.filter(({ command }) => has(command));
  return (
    <Dialog open={open} onClose={onClose} title={t('recorded.keys')}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-ui">
        {shown.map(({ command, caps }) => (
          <div key={command} className="contents">
            <dt className="flex gap-1">
              {caps.map((cap) => (
                <kbd
                  key={cap}
                  className="rounded-control border border-line bg-surface-2 px-1.5 font-medium"
                >
                  {isNamed(cap) ? t(`recorded.cap.${cap}`) : cap}
                </kbd>
              ))}
            </dt>
            <dd>{t(`recorded.key.${command}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
