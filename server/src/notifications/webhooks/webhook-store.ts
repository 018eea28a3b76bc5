import { sql } from 'kysely';
import type { AlertKind, AlertLevel } from '@nazar/contract/alerts.ts';
import type { WebhookContent } from '@nazar/contract/webhooks.ts';
import type { Database, Tx } from '#db/database.ts';

export interface WebhookRow {
  readonly id: string;
  readonly name: string;
  readonly sealed_address: Buffer;
  readonly origin: string;
  readonly sealed_secret: Buffer;
  readonly sealed_old_secret: Buffer | null;
  readonly old_secret_until: Date | null;
  readonly content: WebhookContent;
  readonly least_level: AlertLevel;
  readonly kinds: AlertKind[] | null;
  readonly camera_ids: string[] | null;
  readonly allow_loopback: boolean;
  readonly is_enabled: boolean;
  readonly is_gone: boolean;
  readonly failures: number;
  readonly paused_until: Date | null;
  readonly last_delivered_at: Date | null;
  readonly created_at: Date;
}

/** A webhook, and how many of its events wait or were given up. */
export interface CountedWebhook extends WebhookRow {
  readonly waiting: number;
  readonly failed: number;
}

interface Tables {
  webhook: WebhookRow;
}

const countOf = (state: 'waiting' | 'failed') => sql<number>`(
  select count(*)::integer from webhook_delivery
   where webhook_id = webhook.id and state = ${state} and event <> 'webhook.test')`;

/** SQL of webhooks; the only writer of their table. */
export class WebhookStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** In the order in which they were added. */
  list(): Promise<CountedWebhook[]> {
    return this.#counted().orderBy('created_at').orderBy('id').execute();
  }

  async counted(id: string): Promise<CountedWebhook | null> {
    return (await this.#counted().where('id', '=', id).executeTakeFirst()) ?? null;
  }

  async find(id: string): Promise<WebhookRow | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('webhook')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns the webhook and locks it. */
  async locked(tx: Tx, id: string): Promise<WebhookRow | null> {
    const row = await tx
      .as<Tables>()
      .selectFrom('webhook')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    return row ?? null;
  }

  async count(tx: Tx): Promise<number> {
    const { count } = await tx
      .as<Tables>()
      .selectFrom('webhook')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  async add(tx: Tx, row: WebhookRow): Promise<void> {
    await tx.as<Tables>().insertInto('webhook').values(row).execute();
  }

  async change(tx: Tx, id: string, change: Partial<WebhookRow>): Promise<void> {
    await tx.as<Tables>().updateTable('webhook').set(change).where('id', '=', id).execute();
  }

  async remove(tx: Tx, id: string): Promise<void> {
    await tx.as<Tables>().deleteFrom('webhook').where('id', '=', id).execute();
  }

  #counted() {
    return this.#db
      .read<Tables>()
      .selectFrom('webhook')
      .selectAll()
      .select([countOf('waiting').as('waiting'), countOf('failed').as('failed')]);
  }
}
