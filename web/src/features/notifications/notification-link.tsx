/** The way from a notification to what it is about; without one its words stand alone. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Notification } from './queries.ts';

export interface NotificationLinkProps {
  notification: Pick<Notification, 'kind' | 'alert' | 'visit' | 'export'>;
  onFollow: () => void;
  children: ReactNode;
}

const look =
  '-my-0.5 inline-block min-h-6 py-0.5 text-left underline-offset-4 hover:underline touch:my-0 touch:py-3';

export function NotificationLink({ notification, onFollow, children }: NotificationLinkProps) {
  const { kind, alert, visit, export: made } = notification;
  const link = { className: look, onClick: onFollow };
  if (alert !== null) {
    return (
      <Link to="/alerts" search={{ alert }} {...link}>
        {children}
      </Link>
    );
  }
  if (visit !== null) {
    return (
      <Link to="/activity-log" search={{ tab: 'analytics', panel: 'timeline', visit }} {...link}>
        {children}
      </Link>
    );
  }
  if (made !== null) {
    return (
      <Link to="/recordings" search={{ export: made }} {...link}>
        {children}
      </Link>
    );
  }
  if (kind === 'account') {
    return (
      <Link to="/security" {...link}>
        {children}
      </Link>
    );
  }
  return children;
}
