/** SQL of the deliveries as administrators list them and send them again. */
import { sql, type RawBuilder } from 'kysely';
import type {
  WebhookDeliveryQuery,
  WebhookDeliveryState,
  WebhookEvent,
  WebhookFault,
} from '@nazar/contract/webhooks.ts';
import { countRowsUpTo, type BoundedPage } from '#db/bounded-page.ts';
import type { Database, Tx } from '#db/database.ts';

export interface ListedDelivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly webhook_name: string;
  readonly event: WebhookEvent;
  readonly alert_id: string | null;
  readonly state: WebhookDeliveryState;
  readonly created_at: Date;
  readonly tries: number;
  readonly last_tried_at: Date | null;
  readonly status: number | null;
  readonly fault: WebhookFault | null;
  readonly took_ms: number | null;
  /** Null: it does not wait. */
  readonly next_try_at: Date | null;
}

/** `from` and `until` are the moments of the days that were asked for. */
export type DeliveryFilter = Omit<WebhookDeliveryQuery, 'start_date' | 'end_date' | 'timezone'> & {
  readonly from: Date | null;
  readonly until: Date | null;
};

const columns = sql`
  delivery.id, delivery.webhook_id, webhook.name as webhook_name, delivery.event, delivery.alert_id, delivery.state,
  delivery.created_at, delivery.tries, delivery.last_tried_at, delivery.status, delivery.fault, delivery.took_ms,
  case delivery.state when 'waiting' then greatest(delivery.due_at, webhook.paused_until) end as next_try_at`;

export class WebhookDeliveryListStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  async list(filter: DeliveryFilter): Promise<BoundedPage<ListedDelivery>> {
    const { page, page_size: limit, ordering } = filter;
    const order =
      ordering === 'created_at'
        ? sql`delivery.created_at, delivery.id`
        : sql`delivery.created_at desc, delivery.id desc`;
    const matching = sql`
      from webhook_delivery delivery join webhook on webhook.id = delivery.webhook_id
      where ${sql.join(conditions(filter), sql` and `)}`;
    const counted = await countRowsUpTo(this.#db.read(), matching);
    const { rows } = await sql<ListedDelivery>`
      select ${columns} ${matching} order by ${order} limit ${limit} offset ${(page - 1) * limit}`.execute(
      this.#db.read(),
    );
    return { ...counted, rows };
  }

  /** Returns the delivery and locks it. */
  async locked(tx: Tx, id: string): Promise<ListedDelivery | null> {
    const { rows } = await sql<ListedDelivery>`
      select ${columns} from webhook_delivery delivery join webhook on webhook.id = delivery.webhook_id
       where delivery.id = ${id} for update of delivery`.execute(tx.as());
    return rows[0] ?? null;
  }

  /** What of these is done waits again, with all its tries before it. Returns how many. */
  async sendAgain(
    tx: Tx,
    of: { readonly webhookId: string; readonly id?: string },
    at: Date,
    giveUpAt: Date,
  ): Promise<number> {
    const isMeant = of.id === undefined ? sql`state = 'failed'` : sql`id = ${of.id}`;
    const { numAffectedRows = 0n } = await sql`
      update webhook_delivery set state = 'waiting', due_at = ${at}, give_up_at = ${giveUpAt}, tries_of_round = 0,
        leased_until = null, fault = null, status = null, took_ms = null
       where webhook_id = ${of.webhookId} and state <> 'waiting' and event <> 'webhook.test' and ${isMeant}`.execute(
      tx.as(),
    );
    return Number(numAffectedRows);
  }
}

function conditions({ receiver, state, from, until }: DeliveryFilter): RawBuilder<unknown>[] {
  return [
    sql`true`,
    ...(receiver === undefined ? [] : [sql`delivery.webhook_id = ${receiver}`]),
    ...(state === undefined ? [] : [sql`delivery.state = ${state}`]),
    ...(from === null ? [] : [sql`delivery.created_at >= ${from}`]),
    ...(until === null ? [] : [sql`delivery.created_at < ${until}`]),
  ];
}
