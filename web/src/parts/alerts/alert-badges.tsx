/** How urgent an alert is and what became of it: the same on the Alerts page and on the Dashboard (DASH-012). */
import type { AlertLevel, AlertStatus } from '@nazar/contract/alerts.ts';
import { CircleX, Info, OctagonAlert, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { Badge, type Tone } from '#ui/badge.tsx';

/** Error and critical share the colour of danger; their signs differ, as their words do. */
const levels: Readonly<Record<AlertLevel, { readonly tone: Tone; readonly Icon: LucideIcon }>> = {
  info: { tone: 'info', Icon: Info },
  warning: { tone: 'warning', Icon: TriangleAlert },
  error: { tone: 'danger', Icon: CircleX },
  critical: { tone: 'danger', Icon: OctagonAlert },
};

const statusTones: Readonly<Record<AlertStatus, Tone>> = {
  new: 'unrecognized',
  in_progress: 'info',
  resolved: 'success',
  dismissed: 'neutral',
};

export function LevelBadge({ level }: { level: AlertLevel }) {
  const { t } = useTranslation();
  const { tone, Icon } = levels[level];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />} className="whitespace-nowrap">
      {t(`alerts.levels.${level}`)}
    </Badge>
  );
}

export function AlertStatusBadge({ status }: { status: AlertStatus }) {
  const { t } = useTranslation();
  return (
    <Badge tone={statusTones[status]} className="whitespace-nowrap">
      {t(`alerts.statuses.${status}`)}
    </Badge>
  );
}
