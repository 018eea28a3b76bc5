/** Push messages to all devices of a user: they wait in an outbox of their own, because each device may fail alone. */
import type { Clock } from '#lib/clock.ts';
import type { Channel } from '../deliveries/channel.ts';
import type { PushKeys } from './keys.ts';
import type { PushMessageStore } from './message-store.ts';
import { keepMs } from './sending.ts';

export interface PushChannelOptions {
  readonly messages: PushMessageStore;
  readonly keys: PushKeys;
  readonly clock: Clock;
}

export function pushChannel({ messages, keys, clock }: PushChannelOptions): Channel {
  const times = () => ({
    at: new Date(clock.now()),
    giveUpAt: new Date(clock.now() + keepMs),
  });
  return {
    name: 'push',
    isWished: ({ push }) => push,
    isAvailable: () => keys.isAvailable,
    send: (tx, { id, message, level }, { userId }) =>
      messages.addForEach(tx, userId, {
        message,
        notification_id: id,
        summed: null,
        summed_from: null,
        is_critical: level === 'critical',
        ...times(),
      }),
    sendSummary: (tx, noticed, { userId }) =>
      messages.addForEach(tx, userId, {
        message: 'summary',
        notification_id: null,
        summed: noticed.length,
        summed_from: noticed[0]!.at,
        is_critical: false,
        ...times(),
      }),
  };
}
