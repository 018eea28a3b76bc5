/**
 * What a message says: in the language of its user, with what they may read when it is sent, and no more than
 * administrators let out.
 */
import type { Alert } from '@nazar/contract/alerts.ts';
import type { Language } from '@nazar/contract/accounts.ts';
import type { Notification } from '@nazar/contract/notifications.ts';
import type { PushAction, PushContent, PushMessage } from '@nazar/contract/push.ts';
import { pushWords } from '#http/sentences.ts';
import { mailSentence, timeIn } from '#mail/mail.ts';
import type { Noticed } from '../deliveries/channel.ts';
import { happenedKey } from '../deliveries/notice.ts';

/** What happened, as its user may know it now. */
export interface Happened {
  readonly noticed: Noticed;
  readonly notification: Notification;
  /** Null: it is about no alert. */
  readonly alert: Alert | null;
}

export interface Wording {
  readonly language: Language;
  readonly content: PushContent;
  /** What opens actions and picture. */
  readonly ticket: string;
}

export function messageOf(
  { noticed, notification, alert }: Happened,
  { language, content, ticket }: Wording,
): PushMessage {
  const isOver = noticed.message === 'over';
  const isNamed = content !== 'event';
  const happened = isNamed ? notification.title : mailSentence(language, happenedKey(noticed));
  const actions = actionsOf(alert, isOver);
  const hasPicture = !isOver && content === 'pictures' && pictureOf(notification, alert) !== null;
  return {
    tag: noticed.id,
    title: isOver ? pushWords(language, 'over', { title: happened }) : happened,
    body: isNamed && !isOver ? notification.message : '',
    language,
    at: noticed.at.toISOString(),
    path: pathOf(notification),
    level: noticed.level,
    is_over: isOver,
    actions: actions.map((action) => ({ action, title: pushWords(language, action) })),
    has_picture: hasPicture,
    ticket: actions.length > 0 || hasPicture ? ticket : null,
  };
}

/** The visit whose picture shows what happened; null: there is none, or the reader may not see it. */
export function pictureOf({ visit }: Notification, alert: Alert | null): string | null {
  if (alert === null) return visit;
  return alert.image !== null && !alert.picture_hidden ? alert.visit : null;
}

/** Browsers show two at most: the first two are what may be done without having looked. */
function actionsOf(alert: Alert | null, isOver: boolean): PushAction[] {
  if (alert === null || alert.resolved_at !== null) return [];
  if (isOver) return ['resolve'];
  return [
    ...(alert.status === 'new' ? (['take'] as const) : []),
    ...(alert.camera === null ? [] : (['snooze'] as const)),
    'resolve',
  ];
}

function pathOf({ kind, alert, visit, export: made }: Notification): string {
  if (alert !== null) return `/alerts?alert=${alert}`;
  if (visit !== null) return `/activity-log?tab=analytics&panel=timeline&visit=${visit}`;
  if (made !== null) return `/recordings?export=${made}`;
  return kind === 'account' ? '/security' : '/notifications';
}

/** What every message has that is about nothing one can act on. */
const plain = { level: null, is_over: false, actions: [], has_picture: false, ticket: null };

export function summaryMessage(
  { count, from, at }: { readonly count: number; readonly from: Date; readonly at: Date },
  { language, timezone }: { readonly language: Language; readonly timezone: string | null },
): PushMessage {
  return {
    ...plain,
    tag: 'summary',
    title: pushWords(language, 'summary', { count }),
    body: pushWords(language, 'since', { time: timeIn(language, from, timezone) }),
    language,
    at: at.toISOString(),
    path: '/notifications',
  };
}

export const testMessage = (language: Language, at: Date): PushMessage => ({
  ...plain,
  tag: 'test',
  title: pushWords(language, 'test'),
  body: pushWords(language, 'testText'),
  language,
  at: at.toISOString(),
  path: '/settings/notifications',
});
