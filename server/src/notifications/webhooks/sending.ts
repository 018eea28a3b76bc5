/** One try to send an event to its receiver: composed, signed and posted as the webhook is now. */
import type { WebhookFault } from '@nazar/contract/webhooks.ts';
import type { Clock } from '#lib/clock.ts';
import { isAllowed } from '#media/protocol/address-policy.ts';
import { post, type Answer, type Dialing } from '../deliveries/post.ts';
import type { WebhookPolicy } from './addresses.ts';
import { composed, type EventFacts } from './message.ts';
import type { MessageStore } from './message-store.ts';
import type { WebhookSealing } from './sealing.ts';
import { signatureHeaders } from './signing.ts';
import type { WebhookRow } from './webhook-store.ts';

export interface SendingOptions {
  readonly messages: MessageStore;
  readonly sealing: WebhookSealing;
  readonly policy: WebhookPolicy;
  /** Null: there is no address for links. */
  readonly publicUrl: string | null;
  readonly resolve?: Dialing['resolve'];
  readonly clock: Clock;
  /** Bounds what a receiver takes: real time, whatever clock a test sets. Absent: `clock`. */
  readonly wireClock?: Clock;
}

export interface Event extends Omit<EventFacts, 'content'> {
  readonly id: string;
}

/** `alert_gone`: there was nothing to post. */
export interface Posted extends Omit<Answer, 'fault'> {
  readonly fault: WebhookFault | null;
}

export class WebhookSending {
  readonly #options: SendingOptions;

  constructor(options: SendingOptions) {
    this.#options = options;
  }

  /** Throws when `signal` ended it. */
  async send(webhook: WebhookRow, event: Event, signal: AbortSignal): Promise<Posted> {
    const { messages, sealing, policy, publicUrl, resolve, clock } = this.#options;
    const { wireClock = clock } = this.#options;
    const facts = { ...event, content: webhook.content };
    const body = await composed(facts, { store: messages, publicUrl });
    if (body === null) return { status: null, fault: 'alert_gone', tookMs: 0 };
    const atMs = clock.now();
    const secrets = sealing.secretsOf(webhook, new Date(atMs));
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Nazar',
      ...signatureHeaders({ id: event.id, atMs, body }, secrets),
    };
    const message = { url: sealing.addressOf(webhook), headers, body };
    const judged = policy(webhook.allow_loopback);
    const allows = (address: string, port: number) => isAllowed(address, port, judged);
    const dialing = { allows, clock: wireClock, signal };
    return post(message, resolve ? { ...dialing, resolve } : dialing);
  }
}
