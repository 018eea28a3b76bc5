import { sql, type Kysely } from 'kysely';
import type { ChainVerification } from '@nazar/contract/chain-verification.ts';
import type { Database, Tx } from '#db/database.ts';

export interface VerificationRow {
  readonly id: string;
  readonly asked_by: string;
  readonly began_at: Date;
  readonly ended_at: Date | null;
  readonly state: ChainVerification['state'];
  readonly checked: number;
  readonly total: number;
  readonly file: string | null;
}

export interface NamedVerification extends VerificationRow {
  /** Null once the account is deleted. */
  readonly asked_by_name: string | null;
}

type Ended = Pick<VerificationRow, 'state' | 'checked' | 'file'> & { readonly ended_at: Date };

interface Tables {
  audit_verification: VerificationRow;
  audit_entry: { readonly sequence: number | null };
  activity_user: { readonly id: string; readonly email: string; readonly name: string };
}

/** SQL of verifications of the activity log; the only writer of their table. */
export class VerificationStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** False: one is running. Of the earlier ones, only the last with a file stays. */
  async add(
    row: Pick<VerificationRow, 'id' | 'asked_by' | 'began_at' | 'total'>,
  ): Promise<boolean> {
    return this.transaction(async (tx) => {
      const added = await tx
        .as<Tables>()
        .insertInto('audit_verification')
        .values({ ...row, state: 'running', checked: 0, ended_at: null, file: null })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (added.numInsertedOrUpdatedRows === 0n) return false;
      await sql`
        delete from audit_verification
         where state <> 'running'
           and id is distinct from (select id from audit_verification where state = 'done'
                                     order by began_at desc, id desc limit 1)`.execute(
        tx.as<Tables>(),
      );
      return true;
    });
  }

  /** Does nothing if it has already ended. */
  async end(tx: Tx, id: string, ended: Ended): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('audit_verification')
      .set(ended)
      .where('id', '=', id)
      .where('state', '=', 'running')
      .execute();
  }

  /** Ends the verification that a process left running when it died. */
  async interrupt(ended_at: Date): Promise<void> {
    await this.#db
      .write<Tables>()
      .updateTable('audit_verification')
      .set({ state: 'interrupted', ended_at })
      .where('state', '=', 'running')
      .execute();
  }

  latest(): Promise<NamedVerification | undefined> {
    return this.#newest(null);
  }

  latestDone(): Promise<NamedVerification | undefined> {
    return this.#newest('done');
  }

  #newest(state: VerificationRow['state'] | null): Promise<NamedVerification | undefined> {
    return this.#read
      .selectFrom('audit_verification')
      .leftJoin('activity_user', 'activity_user.id', 'asked_by')
      .selectAll('audit_verification')
      .select(
        sql<string | null>`coalesce(nullif(activity_user.name, ''), activity_user.email)`.as(
          'asked_by_name',
        ),
      )
      .$if(state !== null, (rows) => rows.where('state', '=', state!))
      .orderBy('began_at', 'desc')
      .orderBy('audit_verification.id', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  async file(id: string): Promise<string | null> {
    const row = await this.#read
      .selectFrom('audit_verification')
      .select('file')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.file ?? null;
  }

  /** The number of entries in the chain, from its two ends: counting two million takes a second. */
  async countSealed(): Promise<number> {
    const { rows } = await sql<{ total: number }>`
      select coalesce(max(sequence) - min(sequence) + 1, 0) as total from audit_entry
       where sequence is not null`.execute(this.#read);
    return rows[0]?.total ?? 0;
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }
}
