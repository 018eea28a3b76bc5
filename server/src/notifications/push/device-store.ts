import { sql } from 'kysely';
import type { PushFault } from '@nazar/contract/push.ts';
import type { Database, Tx } from '#db/database.ts';

export interface DeviceRow {
  readonly id: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly sealed_subscription: Buffer;
  readonly endpoint_hash: Buffer;
  readonly service: string;
  readonly name: string;
  readonly created_at: Date;
  readonly renewed_at: Date;
  readonly delivered_at: Date | null;
  readonly failures: number;
  readonly paused_until: Date | null;
  readonly fault: PushFault | null;
}

/** A session that time alone ended: the telephone in the pocket goes on. */
const byTime = ['idle', 'expired', 'limit'];

interface Tables {
  push_device: DeviceRow;
}

/** SQL of the devices that are sent push messages. */
export class PushDeviceStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** The newest first. */
  async ofUser(userId: string): Promise<DeviceRow[]> {
    const { rows } = await sql<DeviceRow>`
      select * from push_device where user_id = ${userId} order by created_at desc, id desc`.execute(
      this.#db.read(),
    );
    return rows;
  }

  async find(id: string): Promise<DeviceRow | null> {
    const { rows } = await sql<DeviceRow>`select * from push_device where id = ${id}`.execute(
      this.#db.read(),
    );
    return rows[0] ?? null;
  }

  async locked(tx: Tx, id: string): Promise<DeviceRow | null> {
    const { rows } = await sql<DeviceRow>`
      select * from push_device where id = ${id} for update`.execute(tx.as());
    return rows[0] ?? null;
  }

  async byEndpoint(tx: Tx, hash: Buffer): Promise<DeviceRow | null> {
    const { rows } = await sql<DeviceRow>`
      select * from push_device where endpoint_hash = ${hash} for update`.execute(tx.as());
    return rows[0] ?? null;
  }

  /** Two pages that add one device at once: the second changes nothing. Returns whether it was added. */
  async add(tx: Tx, row: DeviceRow): Promise<boolean> {
    const { numInsertedOrUpdatedRows: count = 0n } = await tx
      .as<Tables>()
      .insertInto('push_device')
      .values(row)
      .onConflict((conflict) => conflict.column('endpoint_hash').doNothing())
      .executeTakeFirst();
    return count > 0n;
  }

  async change(tx: Tx, id: string, change: Partial<Omit<DeviceRow, 'id'>>): Promise<void> {
    await tx.as<Tables>().updateTable('push_device').set(change).where('id', '=', id).execute();
  }

  /** Its push service took a message: what failed before counts no more. */
  delivered(tx: Tx, id: string, at: Date): Promise<void> {
    return this.change(tx, id, { delivered_at: at, failures: 0, paused_until: null, fault: null });
  }

  /** With what waits for it. */
  async remove(tx: Tx, id: string): Promise<void> {
    await sql`delete from push_device where id = ${id}`.execute(tx.as());
  }

  async count(tx: Tx, userId: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from push_device where user_id = ${userId}`.execute(
      tx.as(),
    );
    return rows[0]!.count;
  }

  /** Devices of sessions that a person, or the discovery of a copy, ended. */
  async removeOfEndedSessions(): Promise<void> {
    await sql`
      delete from push_device using accounts_v_session session
       where session.id = push_device.session_id and session.ended_reason <> all(${byTime}::text[])`.execute(
      this.#db.write(),
    );
  }
}
