import type { SystemHealth } from '@nazar/contract/system.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import type { StorageFit } from '@nazar/contract/recordings.ts';
import {
  Camera,
  Database,
  ScanFace,
  ScrollText,
  Server,
  TriangleAlert,
  CircleX,
  HardDrive,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { QueryView } from '#parts/query-view.tsx';
import { isShort, useFitWords } from '#parts/storage-fit.tsx';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { RowList } from '#ui/data-list.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** The reasons a probe gives (`PartHealth.detail`), each with its sentence. */
const details = [
  'health.vision_down',
  'health.vision_partly',
  'health.models_loading',
  'health.models_missing',
  'health.models_older',
  'health.models_unknown',
  'health.cameras_down',
  'health.cameras_partly',
  'health.database_down',
  'health.database_slow',
  'health.api_slow',
  'health.record_broken',
  'health.record_unknown',
] as const;

const parts = [
  { part: 'face_recognition', Icon: ScanFace },
  { part: 'camera_system', Icon: Camera },
  { part: 'database', Icon: Database },
  { part: 'api_services', Icon: Server },
  { part: 'audit_record', Icon: ScrollText },
] as const;

type Health = SystemHealth[(typeof parts)[number]['part']];

const tones: Record<Health['status'], Tone> = {
  operational: 'success',
  degraded: 'warning',
  down: 'danger',
};

function StatusBadge({ status }: { status: Health['status'] }) {
  const { t } = useTranslation();
  return (
    <Badge
      tone={tones[status]}
      icon={
        status === 'degraded' ? (
          <TriangleAlert aria-hidden />
        ) : status === 'down' ? (
          <CircleX aria-hidden />
        ) : undefined
      }
    >
      {t(`health.status.${status}`)}
    </Badge>
  );
}

interface RowProps {
  Icon: LucideIcon;
  name: string;
  badge: ReactNode;
  text: string | null;
}

function Row({ Icon, name, badge, text }: RowProps) {
  return (
    <li className="flex min-h-14 items-center gap-3 py-2.5">
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-control bg-surface-2 text-muted"
      >
        <Icon className="size-4" />
      </span>
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-0.5">
        <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
          <span className="text-ui font-medium">{name}</span>
          {badge}
        </div>
        {text !== null && <p className="text-meta text-muted">{text}</p>}
      </div>
    </li>
  );
}

/** Storage of the recordings of all cameras; the figure is a measurement, the badge says whether it is enough. */
function StorageRow({ fit }: { fit: StorageFit }) {
  const { t } = useTranslation();
  const words = useFitWords();
  const badge = isShort(fit) ? (
    <Badge tone="warning" icon={<TriangleAlert aria-hidden />}>
      {t('storage.short')}
    </Badge>
  ) : (
    <StatusBadge status="operational" />
  );
  return <Row Icon={HardDrive} name={t('storage.title')} badge={badge} text={words(fit)} />;
}

export interface SystemStatusProps {
  query: UseQueryResult<SystemHealth>;
}

/** Each line is a probe that was really made. */
export function SystemStatus({ query }: SystemStatusProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const checked = query.data && formatTime(query.data.checked_at, { timeStyle: 'medium' });
  return (
    <Card
      title={t('dashboard.systemStatus')}
      {...(checked !== undefined && { aside: t('dashboard.checkedAt', { time: checked }) })}
    >
      <QueryView query={query} skeleton={<Skeleton className="h-71" />}>
        {(health) => (
          <RowList label={t('dashboard.systemStatus')}>
            {parts.map(({ part, Icon }) => {
              const { status, detail } = health[part];
              const reason = details.find((key) => key === detail);
              return (
                <Row
                  key={part}
                  Icon={Icon}
                  name={t(`health.part.${part}`)}
                  badge={<StatusBadge status={status} />}
                  text={reason === undefined ? null : t(reason)}
                />
              );
            })}
            {health.storage_fit !== null && <StorageRow fit={health.storage_fit} />}
          </RowList>
        )}
      </QueryView>
    </Card>
  );
}
