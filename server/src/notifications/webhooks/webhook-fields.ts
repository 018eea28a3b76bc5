/** Webhooks between the rows that are stored, the answers, and the activity log. Pure. */
import type { Webhook, WebhookChange } from '@nazar/contract/webhooks.ts';
import type { CountedWebhook, WebhookRow } from './webhook-store.ts';

/** Without its address and secrets, of which the service takes care. */
export function changedFields(before: WebhookRow, change: WebhookChange) {
  return {
    name: change.name ?? before.name,
    content: change.content ?? before.content,
    least_level: change.least_level ?? before.least_level,
    kinds: change.kinds === undefined ? before.kinds : change.kinds,
    camera_ids: change.cameras === undefined ? before.camera_ids : change.cameras,
    allow_loopback: change.allow_loopback ?? before.allow_loopback,
    is_enabled: change.is_enabled ?? before.is_enabled,
  };
}

export function asWebhook(row: CountedWebhook, now: Date): Webhook {
  const later = (at: Date | null): string | null => (at && at > now ? at.toISOString() : null);
  return {
    id: row.id,
    name: row.name,
    origin: row.origin,
    content: row.content,
    least_level: row.least_level,
    kinds: row.kinds,
    cameras: row.camera_ids,
    allow_loopback: row.allow_loopback,
    is_enabled: row.is_enabled,
    is_gone: row.is_gone,
    failures: row.failures,
    paused_until: row.is_enabled ? later(row.paused_until) : null,
    old_secret_until: later(row.old_secret_until),
    last_delivered_at: row.last_delivered_at?.toISOString() ?? null,
    waiting: row.waiting,
    failed: row.failed,
  };
}

/** What the activity log keeps: no path or query of the address, which may hold a token. */
export const recordedOf = (row: WebhookRow) => ({
  origin: row.origin,
  content: row.content,
  least_level: row.least_level,
  kinds: row.kinds ?? 'all',
  cameras: row.camera_ids?.length ?? 'all',
  allow_loopback: row.allow_loopback,
  is_enabled: row.is_enabled,
});
