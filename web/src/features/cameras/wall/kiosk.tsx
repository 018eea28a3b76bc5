/** The wall and nothing else. What can be done shows at the lower edge for a while after the user
 * moved the pointer or pressed a key. */
import { ChevronLeft, ChevronRight, Maximize, Minimize, Pause, Play, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { useNativeFullScreen } from '#lib/use-native-full-screen.ts';
import { FullScreen, FullScreenTitle } from '#ui/full-screen.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { useWakeLock } from './use-wake-lock.ts';

export interface KioskProps {
  title: string;
  page: number;
  pages: number;
  onPage: (page: number) => void;
  /** Null: there is no tour. */
  running: boolean | null;
  onRunning: (running: boolean) => void;
  onClose: () => void;
  children: ReactNode;
}

const SHOWN_MS = 4000;

/** True for a while after each movement, and at first, so that the way out is seen. */
function useMoved(): boolean {
  const [isMoved, setMoved] = useState(true);
  useEffect(() => {
    let timer = setTimeout(() => setMoved(false), SHOWN_MS);
    const onMove = (): void => {
      setMoved(true);
      clearTimeout(timer);
      timer = setTimeout(() => setMoved(false), SHOWN_MS);
    };
    const events = ['pointermove', 'pointerdown', 'keydown'] as const;
    for (const name of events) window.addEventListener(name, onMove);
    return () => {
      clearTimeout(timer);
      for (const name of events) window.removeEventListener(name, onMove);
    };
  }, []);
  return isMoved;
}

export function Kiosk({ title, onClose, children, ...bar }: KioskProps) {
  return (
    <FullScreen onClose={onClose}>
      <div className="sr-only">
        <FullScreenTitle>{title}</FullScreenTitle>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
      <KioskBar {...bar} onClose={onClose} />
    </FullScreen>
  );
}

function KioskBar({
  page,
  pages,
  onPage,
  running,
  onRunning,
  onClose,
}: Omit<KioskProps, 'title' | 'children'>) {
  const { t } = useTranslation();
  const isMoved = useMoved();
  const lock = useWakeLock(true);
  const root = useRef(document.documentElement);
  const { isFull, toggle } = useNativeFullScreen(root);
  return (
    <div
      className={cx(
        'fixed inset-x-0 bottom-0 flex flex-wrap items-center justify-center gap-1 bg-black/75 p-1.5 text-ui text-white transition-opacity',
        !isMoved && 'pointer-events-none opacity-0',
      )}
    >
      {lock === 'unavailable' && <p className="px-2 text-meta">{t('wall.sleeps')}</p>}
      {pages > 1 && (
        <>
          <IconButton
            look="glass"
            label={t('ui.previousPage')}
            onClick={() => onPage(page > 1 ? page - 1 : pages)}
          >
            <ChevronLeft aria-hidden />
          </IconButton>
          <span className="figures px-1">{t('wall.pageOf', { page, pages })}</span>
          <IconButton
            look="glass"
            label={t('ui.nextPage')}
            onClick={() => onPage(page < pages ? page + 1 : 1)}
          >
            <ChevronRight aria-hidden />
          </IconButton>
        </>
      )}
      {running !== null && <TourButton running={running} onRunning={onRunning} look="glass" />}
      <IconButton
        look="glass"
        label={t(isFull ? 'live.exitFullscreen' : 'live.fullscreen')}
        onClick={() => void toggle().catch(() => undefined)}
      >
        {isFull ? <Minimize aria-hidden /> : <Maximize aria-hidden />}
      </IconButton>
      <IconButton look="glass" label={t('wall.leaveKiosk')} onClick={onClose}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}

export interface TourButtonProps {
  running: boolean;
  onRunning: (running: boolean) => void;
  look?: 'glass' | 'secondary';
}

export function TourButton({ running, onRunning, look = 'secondary' }: TourButtonProps) {
  const { t } = useTranslation();
  return (
    <IconButton
      look={look}
      label={t(running ? 'wall.pauseTour' : 'wall.runTour')}
      onClick={() => onRunning(!running)}
    >
      {running ? <Pause aria-hidden /> : <Play aria-hidden />}
    </IconButton>
  );
}
