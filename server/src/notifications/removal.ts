/** Removes notifications by age, those of alerts and visits that are gone, and deliveries to webhooks and devices; hourly. */
import { BelievedTime } from '#lib/believed-time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Database } from '#db/database.ts';
import { inBatches } from '#db/in-batches.ts';
import { RemovalStore } from './removal-store.ts';

export const keptDays = 90;
export const deliveriesKeptDays = 30;
const dayMs = 24 * 60 * 60_000;
const batch = 1_000;

export class NotificationRemoval {
  readonly #store: RemovalStore;
  readonly #clock: Clock;
  readonly #time = new BelievedTime();

  constructor({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
    this.#store = new RemovalStore(db);
    this.#clock = clock;
  }

  async removeOld(signal?: AbortSignal): Promise<void> {
    await inBatches(batch, () => this.#store.removeOfGoneAlerts(batch), signal);
    await inBatches(batch, () => this.#store.removeOfGoneVisits(batch), signal);
    const reading = { wallMs: this.#clock.now(), monotonicMs: this.#clock.monotonicMs() };
    if (!this.#time.isBelieved(reading, null)) return;
    const before = new Date(reading.wallMs - keptDays * dayMs);
    await inBatches(batch, () => this.#store.removeBefore(before, batch), signal);
    await inBatches(batch, () => this.#store.removeDeliveriesBefore(before, batch), signal);
    await this.#store.removeEndedSnoozes(new Date(reading.wallMs));
    const delivered = new Date(reading.wallMs - deliveriesKeptDays * dayMs);
    await inBatches(batch, () => this.#store.removeOfWebhooksBefore(delivered, batch), signal);
    await inBatches(batch, () => this.#store.removePushMessagesBefore(delivered, batch), signal);
  }
}
