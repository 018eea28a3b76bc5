import { sql } from 'kysely';
import type { WarningKind } from '@nazar/contract/warnings.ts';
import type { Database, Tx } from '#db/database.ts';

export interface WarningRow {
  readonly id: string;
  readonly kind: WarningKind;
  readonly subject: string;
  readonly details: Record<string, unknown>;
  readonly count: number;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly subject_name: string | null;
}

interface Tables {
  security_warning: Omit<WarningRow, 'subject_name'> & {
    readonly ended_at: Date | null;
    readonly acknowledged_at: Date | null;
    readonly acknowledged_by: string | null;
  };
  security_warning_open: WarningRow;
}

/** SQL of warnings; the only writer of their table. */
export class WarningStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** Returns the id of the warning: that of `row` if it is new, else of the one that counts one more. */
  async raise(
    tx: Tx,
    row: Pick<WarningRow, 'id' | 'kind' | 'subject' | 'details'>,
    at: Date,
  ): Promise<string> {
    const { rows } = await sql<{ id: string }>`
      insert into security_warning (id, kind, subject, details, first_at, last_at)
      values (${row.id}, ${row.kind}, ${row.subject}, ${JSON.stringify(row.details)}, ${at}, ${at})
      on conflict (kind, subject) where ended_at is null do update
        set count = security_warning.count + 1, last_at = excluded.last_at, details = excluded.details
      returning id`.execute(tx.as<Tables>());
    return rows[0]!.id;
  }

  /** Returns its id; null: there is no open one. */
  update(
    tx: Tx,
    kind: WarningKind,
    subject: string,
    details: WarningRow['details'],
  ): Promise<string | null> {
    return this.#set(tx, kind, subject, { details });
  }

  /** Returns its id; null: there is no open one. */
  end(tx: Tx, kind: WarningKind, subject: string, at: Date): Promise<string | null> {
    return this.#set(tx, kind, subject, { ended_at: at });
  }

  async #set(
    tx: Tx,
    kind: WarningKind,
    subject: string,
    values: { readonly details: WarningRow['details'] } | { readonly ended_at: Date },
  ): Promise<string | null> {
    const row = await tx
      .as<Tables>()
      .updateTable('security_warning')
      .set(values)
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    return row?.id ?? null;
  }

  /** False: the warning is already over or acknowledged. `lasting`: kinds that end by themselves. */
  async acknowledge(
    tx: Tx,
    id: string,
    by: { readonly userId: string; readonly at: Date },
    lasting: readonly WarningKind[],
  ): Promise<boolean> {
    const done = await tx
      .as<Tables>()
      .updateTable('security_warning')
      .set({
        acknowledged_at: by.at,
        acknowledged_by: by.userId,
        ended_at: sql<Date | null>`case when kind = any(${[...lasting]}::text[]) then ended_at else ${by.at} end`,
      })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .where('acknowledged_at', 'is', null)
      .executeTakeFirst();
    return done.numUpdatedRows > 0n;
  }

  /** Newest first. */
  open(): Promise<WarningRow[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('security_warning_open')
      .selectAll()
      .orderBy('last_at', 'desc')
      .limit(100)
      .execute();
  }

  /** The subject of each warning of the kind that is not over. */
  async subjects(kind: WarningKind): Promise<string[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('security_warning')
      .select('subject')
      .where('kind', '=', kind)
      .where('ended_at', 'is', null)
      .execute();
    return rows.map(({ subject }) => subject);
  }
}
