/** Alerts as messages. No title and no text: both may name people. */
import type { Alert } from '@nazar/contract/alerts.ts';
import type { AlertStep } from './discovery.ts';

/** The person of the newest visit, where the name may be sent. */
export interface AlertPerson {
  readonly id: string;
  readonly name: string;
}

export function alertMessage(alert: Alert, step: AlertStep, person: AlertPerson | null): string {
  const { id, kind, level, count, camera, camera_name: name } = alert;
  return JSON.stringify({
    event_type: step,
    id,
    kind,
    level,
    status: alert.status,
    count,
    people: alert.people,
    camera: camera === null ? null : { id: camera, name: name ?? '' },
    ...(person && { person: { id: person.id, name: person.name } }),
    created_at: alert.created_at,
    last_at: alert.last_at,
    ended_at: alert.ended_at,
  });
}

/** What became of it; `isNew`: that it was raised is not sent yet, and is said first. */
export function stepsOf(alert: Pick<Alert, 'status' | 'ended_at'>, isNew: boolean): AlertStep[] {
  const now = stepNow(alert);
  if (!isNew) return [now];
  return now === 'going_on' ? ['raised'] : ['raised', now];
}

function stepNow({ status, ended_at }: Pick<Alert, 'status' | 'ended_at'>): AlertStep {
  if (ended_at !== null) return 'over';
  return status === 'new' ? 'going_on' : 'acknowledged';
}
