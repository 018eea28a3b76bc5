/**
 * What users press in a message, and the picture that it shows. The ticket of the message says who asks: what they may do
 * and see is asked now, and a ticket is good once for each of both.
 */
import { pushSnoozeMinutes, type PushAction } from '@nazar/contract/push.ts';
import type { Alert } from '@nazar/contract/alerts.ts';
import type { Alerts } from '#alerts/alerts.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { Visits } from '#visits/visits.ts';
import type { Readers } from '../raising/readers.ts';
import type { Snoozes } from '../snoozes/snoozes.ts';
import { pictureOf, type Happened } from './composing.ts';
import type { PushDeviceStore } from './device-store.ts';
import type { PushMessageStore } from './message-store.ts';
import type { PushReading } from './reading.ts';
import type { PushSettingsStore } from './settings-store.ts';
import { ticketHash, ticketMs } from './tickets.ts';

export interface PushActionsOptions {
  readonly devices: Pick<PushDeviceStore, 'removeOfEndedSessions'>;
  readonly messages: PushMessageStore;
  readonly settings: Pick<PushSettingsStore, 'content'>;
  readonly readers: Readers;
  readonly reading: PushReading;
  readonly workflow: Pick<Alerts['workflow'], 'updateStatus'>;
  readonly snoozes: Pick<Snoozes, 'add'>;
  readonly visits: Pick<Visits, 'picture'>;
  readonly clock: Clock;
}

interface Asked {
  readonly scope: Scope;
  readonly happened: Happened;
}

export class PushActions {
  readonly #options: PushActionsOptions;

  constructor(options: PushActionsOptions) {
    this.#options = options;
  }

  /** Throws push_ticket_used, and as taking, resolving or snoozing do. */
  async act(ticket: string, action: PushAction): Promise<void> {
    await this.#once(ticket, 'acted_at', async ({ scope, happened: { alert } }) => {
      if (!alert) throw new Problem('alert_not_found');
      await this.#do(scope, alert, action);
    });
  }

  /** A JPEG. Throws push_ticket_used, sighting_not_found, sighting_has_no_picture, sighting_picture_hidden. */
  async picture(ticket: string): Promise<Buffer> {
    const { settings, visits } = this.#options;
    return this.#once(ticket, 'shown_at', async ({ scope, happened }) => {
      if ((await settings.content()) !== 'pictures') throw new Problem('push_ticket_used');
      const visitId = pictureOf(happened.notification, happened.alert);
      if (visitId === null) throw new Problem('sighting_has_no_picture');
      return visits.picture(scope, visitId);
    });
  }

  async #do(scope: Scope, alert: Alert, action: PushAction): Promise<void> {
    const { workflow, snoozes, clock } = this.#options;
    if (action === 'snooze') {
      if (alert.camera === null) throw new Problem('camera_not_found');
      const until = new Date(clock.now() + pushSnoozeMinutes * 60_000).toISOString();
      await snoozes.add(scope, { camera: alert.camera, rule: null, until, for_everyone: false });
      return;
    }
    const status = action === 'take' ? 'in_progress' : 'resolved';
    await workflow.updateStatus(scope, alert.id, { status });
  }

  /** A refusal uses the ticket up; a failure of ours does not. */
  async #once<R>(
    ticket: string,
    use: 'acted_at' | 'shown_at',
    work: (asked: Asked) => Promise<R>,
  ): Promise<R> {
    const { devices, messages, readers, reading, clock } = this.#options;
    await devices.removeOfEndedSessions();
    const nowMs = clock.now();
    const times = { at: new Date(nowMs), since: new Date(nowMs - ticketMs) };
    const used = await messages.useTicket(ticketHash(ticket), use, times);
    if (!used) throw new Problem('push_ticket_used');
    try {
      const reader = (await readers.all()).get(used.user_id);
      const about = { ...used, message: 'first', created_at: times.at } as const;
      const happened = reader ? await reading.happened(reader.scope, about, 'en') : null;
      if (!reader || !happened) throw new Problem('push_ticket_used');
      return await work({ scope: reader.scope, happened });
    } catch (error) {
      if (!(error instanceof Problem)) await messages.giveBackTicket(used.id, use);
      throw error;
    }
  }
}
