import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

/** SQL of removing notifications that no reader needs any more. */
export class RemovalStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns how many went, at most `limit`. */
  async removeBefore(before: Date, limit: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from notification where id in (
        select id from notification where created_at < ${before} limit ${limit})`.execute(
      this.#db.write(),
    );
    return Number(numAffectedRows);
  }

  /** The same of messages that went out or did not. */
  async removeDeliveriesBefore(before: Date, limit: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from notification_delivery where (notification_id, channel, message) in (
        select notification_id, channel, message from notification_delivery
         where created_at < ${before} limit ${limit})`.execute(this.#db.write());
    return Number(numAffectedRows);
  }

  /** The same of push messages; not while one waits. */
  async removePushMessagesBefore(before: Date, limit: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from push_message where id in (
        select id from push_message where created_at < ${before} and state <> 'waiting' limit ${limit})`.execute(
      this.#db.write(),
    );
    return Number(numAffectedRows);
  }

  async removeEndedSnoozes(before: Date): Promise<void> {
    await sql`delete from notification_snooze where until < ${before}`.execute(this.#db.write());
  }

  /** The same of deliveries to webhooks; not while one waits, or its alert lasts, whose end will ask for it. */
  async removeOfWebhooksBefore(before: Date, limit: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from webhook_delivery where id in (
        select id from webhook_delivery
         where created_at < ${before} and state <> 'waiting' and not exists (
           select from alerts_v_alert alert
            where alert.id = webhook_delivery.alert_id and alert.ended_at is null)
         limit ${limit})`.execute(this.#db.write());
    return Number(numAffectedRows);
  }

  /** The same of known people whose visit aged, was removed, or went with an erased person. */
  async removeOfGoneVisits(limit: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from notification where id in (
        select notification.id from notification
         where kind = 'known_person' and not exists (
           select from visits_v_visit visit
            where visit.id = notification.visit_id and visit.started_at >= notification.visit_started_at
              and visit.started_at < notification.visit_started_at + interval '1 millisecond'
              and visit.person_id is not null)
         limit ${limit})`.execute(this.#db.write());
    return Number(numAffectedRows);
  }

  /** The same of those whose alert aged, or went with its camera. */
  async removeOfGoneAlerts(limit: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from notification where id in (
        select notification.id from notification
         where alert_id is not null
           and not exists (select from alerts_v_alert alert where alert.id = notification.alert_id)
         limit ${limit})`.execute(this.#db.write());
    return Number(numAffectedRows);
  }
}
