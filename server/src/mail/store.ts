import type { Kysely } from 'kysely';
import type { Database, Tx } from '#db/database.ts';

export interface OutboxRow {
  readonly id: string;
  readonly sealed: Buffer;
  readonly created_at: Date;
  readonly due_at: Date;
  readonly attempts: number;
  readonly expires_at: Date;
}

interface Tables {
  mail_outbox: OutboxRow;
}

/** The channel on which every process announces that it added an email. */
export const channel = 'mail';

/** SQL of the outbox; the only writer of its table. */
export class OutboxStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(tx: Tx, row: OutboxRow): Promise<void> {
    await tx.as<Tables>().insertInto('mail_outbox').values(row).execute();
    await this.#db.notify(tx, channel, '');
  }

  onAdded(read: () => void): Disposable {
    return this.#db.listen(channel, read);
  }

  /** Takes the email that has waited longest; no other sender gets it until `leaseEnds`. */
  take(at: Date, leaseEnds: Date): Promise<OutboxRow | undefined> {
    return this.#write
      .updateTable('mail_outbox')
      .set((eb) => ({ due_at: leaseEnds, attempts: eb('attempts', '+', 1) }))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('mail_outbox')
          .select('id')
          .where('due_at', '<=', at)
          .where('expires_at', '>', at)
          .orderBy('due_at')
          .orderBy('id')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .executeTakeFirst();
  }

  /** Null: nothing waits. */
  async nextDueAt(): Promise<Date | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('mail_outbox')
      .select('due_at')
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst();
    return row?.due_at ?? null;
  }

  async tryAgainAt(id: string, dueAt: Date): Promise<void> {
    await this.#write
      .updateTable('mail_outbox')
      .set({ due_at: dueAt })
      .where('id', '=', id)
      .execute();
  }

  async delete(id: string): Promise<void> {
    await this.#write.deleteFrom('mail_outbox').where('id', '=', id).execute();
  }

  /** Answers how many had expired. */
  async deleteExpired(at: Date): Promise<number> {
    const { numDeletedRows } = await this.#write
      .deleteFrom('mail_outbox')
      .where('expires_at', '<=', at)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  get #write(): Kysely<Tables> {
    return this.#db.write<Tables>();
  }
}
