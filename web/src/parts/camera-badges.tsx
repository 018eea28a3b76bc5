/** What people want of a camera, and what its ingest really does: a word, an icon and a colour each. */
import type { Camera, IngestState } from '@nazar/contract/cameras.ts';
import {
  CircleAlert,
  CircleCheck,
  CirclePause,
  CircleSlash,
  Radio,
  RefreshCw,
  ShieldAlert,
  TriangleAlert,
  WifiOff,
  Wrench,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Badge, type Tone } from '#ui/badge.tsx';

const statuses: Record<Camera['status'], { tone: Tone; icon: ReactNode }> = {
  active: { tone: 'success', icon: <CircleCheck aria-hidden /> },
  inactive: { tone: 'neutral', icon: <CirclePause aria-hidden /> },
  maintenance: { tone: 'warning', icon: <Wrench aria-hidden /> },
  error: { tone: 'danger', icon: <CircleAlert aria-hidden /> },
};

/** CAM-014. */
export function CameraStatusBadge({ status }: { status: Camera['status'] }) {
  const { t } = useTranslation();
  const { tone, icon } = statuses[status];
  return (
    <Badge tone={tone} icon={icon}>
      {t(`camera.statuses.${status}`)}
    </Badge>
  );
}

const states: Record<IngestState, { color: string; icon: ReactNode }> = {
  off: { color: 'text-muted', icon: <CircleSlash aria-hidden /> },
  connecting: { color: 'text-info-text', icon: <RefreshCw aria-hidden /> },
  live: { color: 'text-success-text', icon: <Radio aria-hidden /> },
  stalled: { color: 'text-unrecognized-text', icon: <TriangleAlert aria-hidden /> },
  offline: { color: 'text-danger-text', icon: <WifiOff aria-hidden /> },
  refused: { color: 'text-danger-text', icon: <ShieldAlert aria-hidden /> },
};

export function IngestStateLabel({ state }: { state: IngestState }) {
  const { t } = useTranslation();
  const { color, icon } = states[state];
  return (
    <span
      className={`inline-flex items-center gap-1 text-meta font-medium [&_svg]:size-3.5 [&_svg]:shrink-0 ${color}`}
    >
      {icon}
      {t(`ingest.state.${state}`)}
    </span>
  );
}
