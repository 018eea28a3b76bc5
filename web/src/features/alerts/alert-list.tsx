/** The alerts of a page: a table where there is room, cards elsewhere. */
import { BellRing, Camera, HardDrive, ScanFace, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormat } from '#lib/format.ts';
import { useTranslation, type Translate } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { useMedia } from '#lib/use-media.ts';
import { AlertStatusBadge, LevelBadge } from '#parts/alerts/alert-badges.tsx';
import { FacePicture } from '#parts/face-picture.tsx';
import { shownName } from '#parts/shown-name.ts';
import { TimeAgo } from '#parts/time-ago.tsx';
import { Badge } from '#ui/badge.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { DataTable, type Column } from '#ui/data-list.tsx';
import type { AskFor } from './action-dialogs.tsx';
import { AlertActions } from './alert-actions.tsx';
import type { Alert } from './queries.ts';
import type { ChangeStatus, ShownAlert } from './shown-alert.ts';

export interface AlertListProps {
  alerts: readonly ShownAlert[];
  chosen: ReadonlySet<string>;
  onChoose: (ids: readonly string[], isChosen: boolean) => void;
  onOpen: (id: string) => void;
  onChange: ChangeStatus;
  onAsk: AskFor;
}

/** Narrower screens get cards: a table would have to be pushed sideways. */
const ROOM_FOR_TABLE = '(min-width: 60rem)';

export function AlertList(props: AlertListProps) {
  return useMedia(ROOM_FOR_TABLE) ? <AlertTable {...props} /> : <AlertCards {...props} />;
}

type RowProps = Omit<AlertListProps, 'alerts'> & { alert: ShownAlert };

const kindIcons: Readonly<Record<Alert['kind'], LucideIcon>> = {
  unknown_person: ScanFace,
  returning_stranger: ScanFace,
  watched_person: ScanFace,
  known_person: ScanFace,
  camera_down: Camera,
  camera_picture: Camera,
  storage_low: HardDrive,
  recorder_failed: HardDrive,
  system_warning: BellRing,
};

function Picture({ alert }: { alert: ShownAlert }) {
  const Icon = kindIcons[alert.kind];
  return (
    <FacePicture
      src={alert.image}
      isHidden={alert.picture_hidden}
      alt=""
      className="size-9 shrink-0 rounded-control"
      fallback={
        <span className="grid size-9 shrink-0 place-items-center rounded-control bg-surface-2 text-muted">
          <Icon aria-hidden className="size-4" />
        </span>
      }
    />
  );
}

function Title({ alert, onOpen }: Pick<RowProps, 'alert' | 'onOpen'>) {
  return (
    <div className="grid min-w-0 flex-1 grid-cols-1">
      <button
        type="button"
        aria-haspopup="dialog"
        data-alert={alert.id}
        className="line-clamp-2 min-h-6 text-left font-medium [overflow-wrap:anywhere] hover:underline touch:min-h-11"
        onClick={() => onOpen(alert.id)}
      >
        {alert.title}
      </button>
      {alert.message !== '' && (
        <p className="line-clamp-2 text-meta text-muted [overflow-wrap:anywhere]">
          {alert.message}
        </p>
      )}
    </div>
  );
}

function Choice({ alert, chosen, onChoose }: Pick<RowProps, 'alert' | 'chosen' | 'onChoose'>) {
  const { t } = useTranslation();
  return (
    <Checkbox
      aria-label={t('alerts.select', { title: alert.title })}
      checked={chosen.has(alert.id)}
      onChange={({ target }) => onChoose([alert.id], target.checked)}
    />
  );
}

function Status({ alert }: { alert: ShownAlert }) {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap items-center gap-1">
      <AlertStatusBadge status={alert.status} />
      {alert.isUnsaved && <Badge tone="warning">{t('alerts.unsaved')}</Badge>}
    </span>
  );
}

/** What is asked for less stands below, so that all of it has room. */
function Stacked({ text, below }: { text: ReactNode; below: string }) {
  return (
    <span className="grid grid-cols-1 gap-0.5">
      <span>{text}</span>
      {below !== '' && <span className="text-meta text-muted">{below}</span>}
    </span>
  );
}

const assigneeOf = (t: Translate, { assigned_to_name: name }: ShownAlert): string =>
  name === null ? '' : t('alerts.assignedTo', { name });

const faceName = (t: Translate, { face_name: name }: ShownAlert): string =>
  name === null ? '' : shownName(t, name);

function useColumns(props: AlertListProps): readonly Column<ShownAlert>[] {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  return [
    {
      key: 'choose',
      header: t('alerts.selection'),
      hideHeader: true,
      className: 'w-8',
      cell: (alert) => <Choice alert={alert} {...props} />,
    },
    {
      key: 'level',
      header: t('alerts.level'),
      className: 'w-px whitespace-nowrap',
      cell: ({ level }) => <LevelBadge level={level} />,
    },
    {
      key: 'alert',
      header: t('alerts.alert'),
      cell: (alert) => (
        <div className="flex items-center gap-3">
          <Picture alert={alert} />
          <Title alert={alert} onOpen={props.onOpen} />
        </div>
      ),
    },
    {
      key: 'camera',
      header: t('alerts.camera'),
      room: 'medium',
      className: 'max-w-40 [overflow-wrap:anywhere]',
      cell: (alert) => <Stacked text={alert.camera_name} below={faceName(t, alert)} />,
    },
    {
      key: 'count',
      header: t('alerts.times'),
      numeric: true,
      room: 'medium',
      cell: ({ count }) => formatNumber(count),
    },
    {
      key: 'time',
      header: t('alerts.time'),
      className: 'text-muted',
      cell: ({ created_at: at }) => <TimeAgo at={at} />,
    },
    {
      key: 'status',
      header: t('alerts.status'),
      className: 'max-w-44 [overflow-wrap:anywhere]',
      cell: (alert) => <Stacked text={<Status alert={alert} />} below={assigneeOf(t, alert)} />,
    },
    {
      key: 'actions',
      header: t('alerts.actions'),
      hideHeader: true,
      className: 'w-px',
      cell: (alert) => (
        <AlertActions alert={alert} onChange={props.onChange} onAsk={props.onAsk} isSmall />
      ),
    },
  ];
}

function AlertTable(props: AlertListProps) {
  const { t } = useTranslation();
  return (
    <DataTable
      caption={t('alerts.title')}
      columns={useColumns(props)}
      rows={props.alerts}
      rowKey={({ id }) => id}
    />
  );
}

function AlertCards({ alerts, ...props }: AlertListProps) {
  const { t } = useTranslation();
  return (
    <ul
      aria-label={t('alerts.title')}
      className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3"
    >
      {alerts.map((alert) => (
        <AlertCard key={alert.id} alert={alert} {...props} />
      ))}
    </ul>
  );
}

function AlertCard(props: RowProps) {
  const { t } = useTranslation();
  const { alert } = props;
  const facts = joined([
    alert.camera_name,
    faceName(t, alert),
    alert.count > 1 && t('alerts.countOfTimes', { count: alert.count }),
    assigneeOf(t, alert),
  ]);
  return (
    <li className="card grid grid-cols-1 content-start gap-2 p-3">
      <div className="flex items-start gap-2.5">
        <Choice {...props} />
        <Picture alert={alert} />
        <Title {...props} />
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        <LevelBadge level={alert.level} />
        <Status alert={alert} />
      </div>
      <div className="grid grid-cols-1 gap-1 text-meta text-muted">
        <TimeAgo at={alert.created_at} />
        {facts !== '' && <span className="[overflow-wrap:anywhere]">{facts}</span>}
      </div>
      <AlertActions alert={alert} onChange={props.onChange} onAsk={props.onAsk} />
    </li>
  );
}
