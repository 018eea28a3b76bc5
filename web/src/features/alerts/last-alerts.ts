/**
 * The last list of alerts that the server gave this user, for when it cannot be asked (ALR-010). It holds no pictures,
 * and of others neither what they are called nor what they wrote.
 */
import { Alert, type AlertPage } from '@nazar/contract/alerts.ts';
import { erasedName, hiddenName, unknownName } from '@nazar/contract/names.ts';
import { z } from 'zod/mini';
import { copyOf, keepCopy } from '#lib/copies.ts';

const KeptPage = z.object({ count: z.int(), results: z.array(Alert) });

/** They stand for a name, and are none. */
const placeholders: readonly string[] = [erasedName, hiddenName, unknownName];

function withoutOthers(alert: Alert, userId: string): Alert {
  const { face_name: name, title, message, assigned_to, resolved_by } = alert;
  const bare = {
    ...alert,
    image: null,
    picture_hidden: false,
    face_name: null,
    assigned_to_name: assigned_to === userId ? alert.assigned_to_name : null,
    resolved_by_name: resolved_by === userId ? alert.resolved_by_name : null,
    resolution_notes: resolved_by === userId ? alert.resolution_notes : '',
  };
  if (name === null || placeholders.includes(name)) return bare;
  const without = (text: string): string => text.replaceAll(name, '…');
  return { ...bare, title: without(title), message: without(message) };
}

export function keepAlerts(userId: string, { count, results }: AlertPage, at: number): void {
  const value = { count, results: results.map((alert) => withoutOthers(alert, userId)) };
  keepCopy('alerts', { user_id: userId, at, value });
}

export interface LastAlerts {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly page: AlertPage;
}

export function lastAlerts(userId: string, nowMs: number): LastAlerts | null {
  const copy = copyOf('alerts', userId, nowMs);
  const kept = KeptPage.safeParse(copy?.value);
  return copy !== null && kept.success ? { at: copy.at, page: kept.data } : null;
}
