/** What keys and gestures do, as buttons, and the ways to the next movement and person. */
import {
  ChevronsLeft,
  ChevronsRight,
  Clock,
  UserRoundSearch,
  ZoomIn,
  ZoomOut,
  Activity,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { IconButton } from '#ui/icon-button.tsx';
import type { Direction, Sought } from './what-is-there.ts';

export interface TimelineButtonsProps {
  onZoom: (factor: number) => void;
  onBeside: (sought: Sought, direction: Direction) => void;
  onNow: () => void;
}

const zoomFactor = 2;

function Pair({ icon, children }: { icon: ReactNode; children: [ReactNode, ReactNode] }) {
  return (
    <span className="flex items-center text-muted [&_svg]:size-4">
      {children[0]}
      {icon}
      {children[1]}
    </span>
  );
}

export function TimelineButtons({ onZoom, onBeside, onNow }: TimelineButtonsProps) {
  const { t } = useTranslation();
  const beside = (sought: Sought, direction: Direction, label: string) => (
    <IconButton label={label} onClick={() => onBeside(sought, direction)}>
      {direction === -1 ? <ChevronsLeft aria-hidden /> : <ChevronsRight aria-hidden />}
    </IconButton>
  );
  return (
    <div className="flex flex-wrap items-center gap-x-1">
      <IconButton label={t('timeline.zoomOut')} onClick={() => onZoom(1 / zoomFactor)}>
        <ZoomOut aria-hidden />
      </IconButton>
      <IconButton label={t('timeline.zoomIn')} onClick={() => onZoom(zoomFactor)}>
        <ZoomIn aria-hidden />
      </IconButton>
      <Pair icon={<Activity aria-hidden />}>
        {beside('motion', -1, t('timeline.motionBefore'))}
        {beside('motion', 1, t('timeline.motionAfter'))}
      </Pair>
      <Pair icon={<UserRoundSearch aria-hidden />}>
        {beside('people', -1, t('timeline.personBefore'))}
        {beside('people', 1, t('timeline.personAfter'))}
      </Pair>
      <IconButton label={t('timeline.now')} onClick={onNow}>
        <Clock aria-hidden />
      </IconButton>
    </div>
  );
}
