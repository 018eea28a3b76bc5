/**
 * What a webhook is sent: ids, times, figures and closed lists. Names, which users type, are in it only where the webhook
 * says so; pictures never are.
 */
import type { WebhookContent, WebhookEvent } from '@nazar/contract/webhooks.ts';
import type { MessageStore, AlertFacts, PersonFacts } from './message-store.ts';

export interface EventFacts {
  readonly event: WebhookEvent;
  readonly alertId: string | null;
  readonly at: Date;
  readonly content: WebhookContent;
}

export interface Composing {
  readonly store: MessageStore;
  /** Null: there is no address for links. */
  readonly publicUrl: string | null;
}

/** JSON as the alert and its names are now. Null: the alert was deleted. */
export async function composed(
  facts: EventFacts,
  { store, publicUrl }: Composing,
): Promise<string | null> {
  const { event: type, alertId, at, content } = facts;
  const timestamp = at.toISOString();
  if (alertId === null) return JSON.stringify({ type, timestamp, data: {} });
  const alert = await store.alert(alertId);
  if (!alert) return null;
  const people = content === 'people' ? await store.people(alertId) : [];
  const data = { alert: factsOf(alert, content, people, publicUrl) };
  return JSON.stringify({ type, timestamp, data });
}

function factsOf(
  alert: AlertFacts,
  content: WebhookContent,
  people: readonly PersonFacts[],
  publicUrl: string | null,
) {
  const { camera_id: cameraId, camera_name: name } = alert;
  const camera = cameraId === null ? null : { id: cameraId, ...(content !== 'event' && { name }) };
  return {
    id: alert.id,
    kind: alert.kind,
    level: alert.level,
    warning: alert.warning_kind,
    started_at: alert.created_at.toISOString(),
    last_at: alert.last_at.toISOString(),
    ended_at: alert.ended_at?.toISOString() ?? null,
    count: alert.count,
    people_count: alert.people,
    camera,
    ...(content === 'people' && {
      people,
      url: publicUrl === null ? null : `${publicUrl}/alerts?alert=${alert.id}`,
    }),
  };
}
