/** One notification: what happened and when, the way to it, and what can be done with it. */
import {
  Bell,
  CircleX,
  FileVideo,
  FileX,
  Info,
  OctagonAlert,
  ScanFace,
  ShieldCheck,
  TriangleAlert,
  Check,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import type { MouseEvent } from 'react';
import { cx } from '#lib/class-names.ts';
import { useTranslation } from '#lib/i18n.ts';
import { TimeAgo } from '#parts/time-ago.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { NotificationLink } from './notification-link.tsx';
import type { Notification } from './queries.ts';

const kinds: Readonly<Record<Notification['kind'], LucideIcon>> = {
  alert: Bell,
  known_person: ScanFace,
  account: ShieldCheck,
  export_done: FileVideo,
  export_failed: FileX,
};

/** The look of an alert is that of its level; its word stands on the page of alerts, and in the name of the sign. */
const levels = {
  info: { Icon: Info, look: 'bg-info-soft text-info-text' },
  warning: { Icon: TriangleAlert, look: 'bg-unrecognized-soft text-unrecognized-text' },
  error: { Icon: CircleX, look: 'bg-danger-soft text-danger-text' },
  critical: { Icon: OctagonAlert, look: 'bg-danger-soft text-danger-text' },
} as const;

function Sign({ notification: { kind, level } }: { notification: Notification }) {
  const { t } = useTranslation();
  const Icon = level === null ? kinds[kind] : levels[level].Icon;
  const look = level === null ? 'bg-surface-2 text-muted' : levels[level].look;
  return (
    <span className={cx('grid size-8 shrink-0 place-items-center rounded-control', look)}>
      <Icon aria-hidden className="size-4" />
      {level !== null && <span className="sr-only">{t(`alerts.levels.${level}`)}</span>}
    </span>
  );
}

export interface NotificationItemProps {
  notification: Notification;
  onRead: (notification: Notification) => void;
  /** Absent: it can't be deleted here. */
  onRemove?: (notification: Notification) => void;
  /** The reader follows it to what it is about. */
  onFollow?: () => void;
}

/** The button is gone once it was pressed: the focus stays with its notification. */
const ownItem = ({ currentTarget }: MouseEvent): HTMLElement | null =>
  currentTarget.closest<HTMLElement>('li');

/** The whole item goes: the one after it, or else before it, takes the focus. */
function nextItem(event: MouseEvent): Element | null {
  const item = ownItem(event);
  const next = item?.nextElementSibling ?? item?.previousElementSibling;
  return next ?? document.querySelector('main');
}

function focus(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}

export function NotificationItem(props: NotificationItemProps) {
  const { notification, onRead, onRemove, onFollow } = props;
  const { t } = useTranslation();
  const { title, message, is_read: isRead, created_at: at } = notification;
  const follow = (): void => {
    if (!isRead) onRead(notification);
    onFollow?.();
  };
  return (
    <li tabIndex={-1} className={cx('flex items-start gap-3 p-3', !isRead && 'bg-primary-soft/40')}>
      <Sign notification={notification} />
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-0.5">
        <p className={cx('text-ui [overflow-wrap:anywhere]', !isRead && 'font-semibold')}>
          {!isRead && <span className="sr-only">{t('notifications.unread')}: </span>}
          <NotificationLink notification={notification} onFollow={follow}>
            {title}
          </NotificationLink>
        </p>
        {message !== '' && (
          <p className="text-meta text-muted [overflow-wrap:anywhere]">{message}</p>
        )}
        <p className="text-meta text-muted">
          <TimeAgo at={at} />
        </p>
      </div>
      <div className="flex shrink-0 items-center">
        {!isRead && (
          <IconButton
            label={t('notifications.markOf', { title })}
            small
            tooltip={false}
            onClick={(event) => {
              focus(ownItem(event));
              onRead(notification);
            }}
          >
            <Check aria-hidden />
          </IconButton>
        )}
        {onRemove !== undefined && (
          <IconButton
            label={t('notifications.deleteOf', { title })}
            small
            tooltip={false}
            onClick={(event) => {
              focus(nextItem(event));
              onRemove(notification);
            }}
          >
            <Trash2 aria-hidden />
          </IconButton>
        )}
      </div>
    </li>
  );
}
