import type { Standing } from '@nazar/contract/route.ts';
import type { Database, Tx } from '#db/database.ts';

export interface EndedRow {
  readonly user_id: string;
  readonly ended_at: Date;
  readonly erase_after: Date;
  readonly handed_to: string | null;
  /** The last standing of the account. */
  readonly standing: Standing;
}

interface Tables {
  ended_account: EndedRow;
}

/** The time to take over the account's people; with the hourly run they are erased within a day. */
const graceMs = 20 * 60 * 60_000;

/** Runs in the transaction that deletes the account's row. */
export async function endAccount(
  tx: Tx,
  { userId, standing }: { readonly userId: string; readonly standing: Standing },
  at: Date,
): Promise<void> {
  await tx
    .as<Tables>()
    .insertInto('ended_account')
    .values({
      user_id: userId,
      ended_at: at,
      erase_after: new Date(at.getTime() + graceMs),
      handed_to: null,
      standing,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** SQL of accounts that ended; the only writer of their table. */
export class EndedAccounts {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Accounts that were not taken over, the oldest first. */
  list(): Promise<EndedRow[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('ended_account')
      .selectAll()
      .where('handed_to', 'is', null)
      .orderBy('ended_at')
      .orderBy('user_id')
      .execute();
  }

  /** The row, locked so that takeover and erasure do not both happen; null if there is none, or it was taken over. */
  async lock(tx: Tx, userId: string): Promise<EndedRow | null> {
    const row = await tx
      .as<Tables>()
      .selectFrom('ended_account')
      .selectAll()
      .where('user_id', '=', userId)
      .where('handed_to', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    return row ?? null;
  }

  async handOver(tx: Tx, userId: string, to: string): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('ended_account')
      .set({ handed_to: to })
      .where('user_id', '=', userId)
      .execute();
  }
}
