/** SQL of the events that wait for webhooks. Each is one row for each webhook, which a server leases while it sends it. */
import { sql } from 'kysely';
import { alertLevels } from '@nazar/contract/alerts.ts';
import type { WebhookEvent, WebhookFault } from '@nazar/contract/webhooks.ts';
import type { Database, Tx } from '#db/database.ts';

export interface TakenDelivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly event: WebhookEvent;
  readonly alert_id: string | null;
  readonly created_at: Date;
  readonly tries_of_round: number;
  readonly give_up_at: Date;
}

/** What a try came to. */
export interface Tried {
  readonly at: Date;
  readonly status: number | null;
  readonly fault: WebhookFault | null;
  readonly tookMs: number | null;
}

const rankOf = (level: ReturnType<typeof sql.ref>) =>
  sql`array_position(${[...alertLevels]}::text[], ${level})`;

export class WebhookDeliveryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** Webhooks to which something may be sent now. */
  async due(at: Date): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from webhook
       where is_enabled and (paused_until is null or paused_until <= ${at})
         and exists (select from webhook_delivery
           where webhook_id = webhook.id and state = 'waiting' and due_at <= ${at}
             and (leased_until is null or leased_until <= ${at}))
       order by id`.execute(this.#db.read());
    return rows.map(({ id }) => id);
  }

  /**
   * The event of that webhook that is to go next: critical ones first, then the oldest; the end of an alert never before
   * its beginning is done. No other server gets it until the lease ends. Null: nothing is due.
   */
  async take(webhookId: string, at: Date, leaseEnds: Date): Promise<TakenDelivery | null> {
    const { rows } = await sql<TakenDelivery>`
      update webhook_delivery set leased_until = ${leaseEnds}, tries = tries + 1, tries_of_round = tries_of_round + 1
       where id = (
        select next.id from webhook_delivery next join webhook on webhook.id = next.webhook_id
         where next.webhook_id = ${webhookId} and next.state = 'waiting' and next.due_at <= ${at}
           and next.give_up_at > ${at} and (next.leased_until is null or next.leased_until <= ${at})
           and webhook.is_enabled and (webhook.paused_until is null or webhook.paused_until <= ${at})
           and not (next.event = 'alert.over' and exists (
             select from webhook_delivery first
              where first.webhook_id = next.webhook_id and first.alert_id = next.alert_id
                and first.event = 'alert.raised' and first.state = 'waiting'))
         order by next.is_critical desc, next.created_at, next.id
         limit 1 for update of next skip locked)
      returning id, webhook_id, event, alert_id, created_at, tries_of_round, give_up_at`.execute(
      this.#db.write(),
    );
    return rows[0] ?? null;
  }

  /** Gives the lease back: nothing came of the try, which counts. */
  async release(id: string): Promise<void> {
    await sql`update webhook_delivery set leased_until = null where id = ${id}`.execute(
      this.#db.write(),
    );
  }

  async finish(tx: Tx, id: string, state: 'delivered' | 'failed', tried: Tried): Promise<void> {
    await sql`
      update webhook_delivery set state = ${state}, leased_until = null, last_tried_at = ${tried.at},
        status = ${tried.status}, fault = ${tried.fault}, took_ms = ${tried.tookMs}
       where id = ${id}`.execute(tx.as());
  }

  async tryAgainAt(tx: Tx, id: string, dueAt: Date, tried: Tried): Promise<void> {
    await sql`
      update webhook_delivery set due_at = ${dueAt}, leased_until = null, last_tried_at = ${tried.at},
        status = ${tried.status}, fault = ${tried.fault}, took_ms = ${tried.tookMs}
       where id = ${id} and state = 'waiting'`.execute(tx.as());
  }

  /** What waited for a day. */
  async giveUp(at: Date): Promise<void> {
    await sql`
      update webhook_delivery set state = 'failed', fault = coalesce(fault, 'expired')
       where state = 'waiting' and give_up_at <= ${at} and (leased_until is null or leased_until <= ${at})`.execute(
      this.#db.write(),
    );
  }

  /** What waits for a webhook that is turned off. */
  async disable(tx: Tx, webhookId: string): Promise<void> {
    await sql`
      update webhook_delivery set state = 'failed', fault = 'disabled', leased_until = null
       where webhook_id = ${webhookId} and state = 'waiting'`.execute(tx.as());
  }

  /** A test is sent by who asks for it, at once: only what became of it is kept. */
  async addTest(id: string, webhookId: string, tried: Tried): Promise<void> {
    await sql`
      insert into webhook_delivery (id, webhook_id, event, is_critical, state, created_at, tries, tries_of_round,
        due_at, give_up_at, last_tried_at, status, fault, took_ms)
      select ${id}, id, 'webhook.test', false, ${tried.fault === null ? 'delivered' : 'failed'}, ${tried.at}, 1, 1,
        ${tried.at}, ${tried.at}, ${tried.at}, ${tried.status}, ${tried.fault}, ${tried.tookMs}
      from webhook where id = ${webhookId}`.execute(this.#db.write());
  }
}

/** Adds that these alerts were raised, for the webhooks that are to hear of them as they are now. */
export async function addRaised(
  tx: Tx,
  alertIds: readonly string[],
  at: Date,
  giveUpAt: Date,
): Promise<void> {
  if (alertIds.length === 0) return;
  await sql`
    insert into webhook_delivery (id, webhook_id, event, alert_id, is_critical, state, created_at, due_at, give_up_at)
    select gen_random_uuid(), webhook.id, 'alert.raised', alert.id, alert.level = 'critical', 'waiting', ${at}, ${at},
      ${giveUpAt}
      from webhook join alerts_v_alert alert on alert.id = any(${[...alertIds]}::uuid[])
       and ${rankOf(sql.ref('alert.level'))} >= ${rankOf(sql.ref('webhook.least_level'))}
       and (webhook.kinds is null or alert.kind = any(webhook.kinds))
       and (webhook.camera_ids is null or alert.camera_id = any(webhook.camera_ids))
     where webhook.is_enabled
     order by webhook.id, alert.id
    on conflict do nothing`.execute(tx.as());
}

/** Adds that these alerts are over, for the webhooks that were to hear of their beginning. */
export async function addEnded(
  tx: Tx,
  alertIds: readonly string[],
  at: Date,
  giveUpAt: Date,
): Promise<void> {
  if (alertIds.length === 0) return;
  await sql`
    insert into webhook_delivery (id, webhook_id, event, alert_id, is_critical, state, created_at, due_at, give_up_at)
    select gen_random_uuid(), raised.webhook_id, 'alert.over', raised.alert_id, raised.is_critical, 'waiting', ${at},
      ${at}, ${giveUpAt}
      from webhook_delivery raised join webhook on webhook.id = raised.webhook_id and webhook.is_enabled
     where raised.event = 'alert.raised' and raised.alert_id = any(${[...alertIds]}::uuid[])
     order by raised.webhook_id, raised.alert_id
    on conflict do nothing`.execute(tx.as());
}
