/** SQL of the messages to devices. Each is one row for each device, which a server leases while it sends it. */
import { sql, type RawBuilder } from 'kysely';
import type { PushFault } from '@nazar/contract/push.ts';
import type { Database, Tx } from '#db/database.ts';
import type { Message } from '../deliveries/delivery-store.ts';

export interface TakenMessage {
  readonly id: string;
  readonly device_id: string;
  readonly message: Message | 'summary';
  /** Null: it is a summary. */
  readonly notification_id: string | null;
  /** How many a summary stands for, and since when; null: it is none. */
  readonly summed: number | null;
  readonly summed_from: Date | null;
  readonly is_critical: boolean;
  readonly created_at: Date;
  readonly give_up_at: Date;
  readonly tries: number;
}

/** Why there was nothing to send: the account may not sign in, or its user may not see it any more. */
export type DroppedReason = 'account' | 'not_visible' | 'summed';

export type NewMessage = Pick<
  TakenMessage,
  'message' | 'notification_id' | 'summed' | 'summed_from' | 'is_critical'
> & { readonly at: Date; readonly giveUpAt: Date };

const taken = sql`id, device_id, message, notification_id, summed, summed_from, is_critical, created_at, give_up_at,
  tries`;

export class PushMessageStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** One for each device of the user. */
  addForEach(tx: Tx, userId: string, added: NewMessage): Promise<void> {
    return this.#add(tx, sql`user_id = ${userId}`, added);
  }

  addFor(tx: Tx, deviceId: string, added: NewMessage): Promise<void> {
    return this.#add(tx, sql`id = ${deviceId}`, added);
  }

  async #add(tx: Tx, isMeant: RawBuilder<unknown>, added: NewMessage): Promise<void> {
    const { message, notification_id, summed, summed_from, is_critical, at, giveUpAt } = added;
    await sql`
      insert into push_message (id, device_id, message, notification_id, summed, summed_from, is_critical, created_at,
        due_at, give_up_at)
      select gen_random_uuid(), id, ${message}, ${notification_id}, ${summed}::integer, ${summed_from}::timestamptz,
             ${is_critical}, ${at}, ${at}, ${giveUpAt}
        from push_device where ${isMeant}`.execute(tx.as());
  }

  /** Devices to which something may be sent now. */
  async due(at: Date): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from push_device
       where (paused_until is null or paused_until <= ${at}) and exists (
         select from push_message
          where device_id = push_device.id and state = 'waiting' and due_at <= ${at}
            and (leased_until is null or leased_until <= ${at}))
       order by id`.execute(this.#db.read());
    return rows.map(({ id }) => id);
  }

  /** The message that is to go next: critical ones first, then the oldest. Null: nothing is due. */
  async take(deviceId: string, at: Date, leaseEnds: Date): Promise<TakenMessage | null> {
    const { rows } = await sql<TakenMessage>`
      update push_message set leased_until = ${leaseEnds}, tries = tries + 1
       where id = (
        select next.id from push_message next join push_device device on device.id = next.device_id
         where next.device_id = ${deviceId} and next.state = 'waiting' and next.due_at <= ${at}
           and (next.leased_until is null or next.leased_until <= ${at})
           and (device.paused_until is null or device.paused_until <= ${at})
           and not (next.message = 'over' and exists (
             select from push_message first
              where first.device_id = next.device_id and first.notification_id = next.notification_id
                and first.message = 'first' and first.state = 'waiting'))
         order by next.is_critical desc, next.created_at, next.id
         limit 1 for update of next skip locked)
      returning ${taken}`.execute(this.#db.write());
    return rows[0] ?? null;
  }

  /** What waits since before then and is not critical; locked. What another server sends is left out. */
  async late(tx: Tx, deviceId: string, before: Date, at: Date): Promise<TakenMessage[]> {
    const { rows } = await sql<TakenMessage>`
      select ${taken} from push_message
       where device_id = ${deviceId} and state = 'waiting' and not is_critical and created_at < ${before}
         and (leased_until is null or leased_until <= ${at})
       order by created_at, id for update skip locked`.execute(tx.as());
    return rows;
  }

  async release(id: string): Promise<void> {
    await sql`update push_message set leased_until = null where id = ${id}`.execute(
      this.#db.write(),
    );
  }

  async finish(
    tx: Tx,
    ids: readonly string[],
    state: 'delivered' | 'failed' | 'dropped',
    fault: PushFault | DroppedReason | null = null,
  ): Promise<void> {
    await sql`
      update push_message set state = ${state}, fault = ${fault}, leased_until = null
       where id = any(${[...ids]}::uuid[])`.execute(tx.as());
  }

  async tryAgainAt(tx: Tx, id: string, dueAt: Date, fault: PushFault): Promise<void> {
    await sql`
      update push_message set due_at = ${dueAt}, fault = ${fault}, leased_until = null
       where id = ${id}`.execute(tx.as());
  }

  /** The ticket that goes out with it; that of a try before opens nothing more. */
  async setTicket(id: string, hash: Buffer): Promise<void> {
    await sql`update push_message set ticket_hash = ${hash} where id = ${id}`.execute(
      this.#db.write(),
    );
  }

  /** Uses a ticket of a message since then, once for each `use`. Null: there is none, or it was used so. */
  async useTicket(
    hash: Buffer,
    use: 'acted_at' | 'shown_at',
    { at, since }: { readonly at: Date; readonly since: Date },
  ): Promise<{ id: string; user_id: string; notification_id: string } | null> {
    const { rows } = await sql<{ id: string; user_id: string; notification_id: string }>`
      update push_message message set ${sql.ref(use)} = ${at} from push_device device
       where message.ticket_hash = ${hash} and message.${sql.ref(use)} is null and message.created_at >= ${since}
         and message.notification_id is not null and device.id = message.device_id
      returning message.id, device.user_id, message.notification_id`.execute(this.#db.write());
    return rows[0] ?? null;
  }

  /** It was not used after all. */
  async giveBackTicket(id: string, use: 'acted_at' | 'shown_at'): Promise<void> {
    await sql`update push_message set ${sql.ref(use)} = null where id = ${id}`.execute(
      this.#db.write(),
    );
  }
}
