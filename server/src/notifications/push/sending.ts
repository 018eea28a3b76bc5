/** One try to send a message to a device: encrypted for it alone, signed by our key, and posted to its push service. */
import { createHash } from 'node:crypto';
import type { PushFault, PushMessage } from '@nazar/contract/push.ts';
import webPush from 'web-push';
import type { Clock } from '#lib/clock.ts';
import type { SecretKey } from '#lib/secrets.ts';
import { post, type Answer, type Dialing } from '../deliveries/post.ts';
import type { DeviceRow } from './device-store.ts';
import type { Vapid } from './keys.ts';
import { openedSubscription } from './subscription.ts';

/** After a day the page is the place to read of it. */
export const keepMs = 24 * 60 * 60_000;

export interface PushSendingOptions {
  readonly key: SecretKey;
  readonly allows: Dialing['allows'];
  readonly resolve?: Dialing['resolve'];
  readonly clock: Clock;
  /** Bounds what a push service takes: real time, whatever clock a test sets. Absent: `clock`. */
  readonly wireClock?: Clock;
}

export interface Outgoing {
  readonly message: PushMessage;
  readonly isUrgent: boolean;
  readonly vapid: Vapid;
  readonly signal: AbortSignal;
}

/** What the push service answered. */
export interface Posted extends Omit<Answer, 'fault'> {
  readonly fault: PushFault | null;
}

export class PushSending {
  readonly #options: PushSendingOptions;

  constructor(options: PushSendingOptions) {
    this.#options = options;
  }

  /** Throws when `signal` ended it. */
  async send(device: DeviceRow, { message, isUrgent, vapid, signal }: Outgoing): Promise<Posted> {
    const { key, allows, resolve, clock, wireClock = clock } = this.#options;
    const { endpoint, p256dh, auth } = openedSubscription(
      key,
      device.id,
      device.sealed_subscription,
    );
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(message),
      {
        vapidDetails: vapid,
        TTL: keepMs / 1000,
        urgency: isUrgent ? 'high' : 'normal',
        topic: topicOf(message.tag),
      },
    );
    const url = new URL(endpoint);
    const dialing = { allows, clock: wireClock, signal, ...(resolve && { resolve }) };
    const answer = await post({ url, headers: sentHeaders(headers), body }, dialing);
    return { ...answer, fault: faultOf(answer) };
  }
}

/** A message that the service still holds is replaced by the next of the same topic. 32 characters at most. */
const topicOf = (tag: string): string =>
  createHash('sha256').update(tag).digest('base64url').slice(0, 32);

const sentHeaders = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.toLowerCase() !== 'content-length')
      .map(([name, value]) => [name, String(value)]),
  );

/** Push services answer 404 or 410 for a device that is there no more. */
function faultOf({ status, fault }: Answer): PushFault | null {
  if (status === 404) return 'gone';
  return fault === 'status' ? 'refused' : fault;
}

/** Whether the same message may be taken later: it was not reached, or it was too much at once. */
export function mayComeLater({ status, fault }: Posted): boolean {
  if (fault === 'gone') return false;
  return status === null || status >= 500 || status === 429 || status === 408;
}
