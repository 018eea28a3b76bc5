/** Which key does what in the list of alerts, by the place of the key (`event.code`), as in the players. Pure. */
import type { AlertStatusFields } from '@nazar/contract/alerts.ts';

export type AlertCommand =
  'next' | 'before' | 'take' | 'resolve' | 'dismiss' | 'snooze' | 'select' | 'keys';

interface KeyRow {
  readonly command: AlertCommand;
  readonly code: string;
  /** What stands on the key. */
  readonly cap: string;
  /** The sentence that says what it does. */
  readonly words: string;
}

export const keyRows = [
  { command: 'next', code: 'KeyJ', cap: 'J', words: 'alerts.keys.next' },
  { command: 'before', code: 'KeyK', cap: 'K', words: 'alerts.keys.before' },
  { command: 'take', code: 'KeyA', cap: 'A', words: 'alerts.assignToMe' },
  { command: 'resolve', code: 'KeyR', cap: 'R', words: 'alerts.resolve' },
  { command: 'dismiss', code: 'KeyD', cap: 'D', words: 'alerts.dismiss' },
  { command: 'snooze', code: 'KeyZ', cap: 'Z', words: 'alerts.snooze' },
  { command: 'select', code: 'KeyS', cap: 'S', words: 'alerts.keys.select' },
  { command: 'keys', code: 'Slash', cap: '?', words: 'alerts.keys.keys' },
] as const satisfies readonly KeyRow[];

/** The status that a command gives an alert. */
export const statusOf: Partial<Record<AlertCommand, AlertStatusFields['status']>> = {
  take: 'in_progress',
  resolve: 'resolved',
  dismiss: 'dismissed',
};

type Pressed = Pick<
  KeyboardEvent,
  'code' | 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey' | 'repeat'
>;

/** Null: it does nothing here. A key that is held moves on, and does nothing else again. */
export function commandOf(pressed: Pressed): AlertCommand | null {
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey) return null;
  // The one key that is named by its sign: it lies elsewhere on most keyboards.
  if (pressed.key === '?') return 'keys';
  if (pressed.shiftKey) return null;
  const row = keyRows.find(({ code, command }) => command !== 'keys' && code === pressed.code);
  if (row === undefined) return null;
  const moves = row.command === 'next' || row.command === 'before';
  return pressed.repeat && !moves ? null : row.command;
}
