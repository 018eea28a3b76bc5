import { sql, type ColumnType, type RawBuilder } from 'kysely';
import type { Erasure, UnknownCompared } from '@nazar/contract/privacy.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { Database, Tx } from '#db/database.ts';
import { pageOf, type Page, type Paged } from '#db/page.ts';

/** What is removed, counted as it goes. */
export type Counts = Readonly<Record<(typeof countNames)[number], number>>;

const countNames = ['images', 'vectors', 'pictures', 'visits', 'people', 'notes'] as const;
export const nothing: Counts = {
  images: 0,
  vectors: 0,
  pictures: 0,
  visits: 0,
  people: 0,
  notes: 0,
};

export interface Proven {
  readonly tables_clean: boolean;
  readonly statistics_clean: boolean;
  readonly log_clean: boolean;
}

/** Null or absent: no unknown people were searched for. */
interface WithUnknown {
  readonly unknown: UnknownCompared | null;
}

export interface ErasureRow {
  readonly id: string;
  readonly subject: Erasure['subject'];
  readonly subject_id: string;
  readonly reason: Erasure['reason'];
  readonly requested_at: Date;
  readonly due_at: Date;
  readonly removed_at: Date | null;
  /** The transaction that removed; cleaning waits until no reader can still see what it removed. */
  readonly removed_by: string | null;
  readonly cleaned_at: Date | null;
  readonly certificate: Partial<Counts & Proven & WithUnknown>;
}

interface Tables {
  erasure: Omit<ErasureRow, 'certificate' | 'removed_by'> & {
    /** Its own transaction's. */
    removed_by: ColumnType<string | null, null, RawBuilder<string>>;
    /** Written as text. */
    certificate: ColumnType<ErasureRow['certificate'], string, string>;
  };
}

const asJson = (value: object): string => JSON.stringify(value);

/** SES-041: what the terms promise. */
const promisedMs = 30 * 24 * 60 * 60_000;

/** An erasure as it begins. */
export function erasureRow(
  clock: Clock,
  about: Pick<ErasureRow, 'subject' | 'reason'> & { subjectId: string; requestedAt: Date },
): ErasureRow {
  const { subject, subjectId, reason, requestedAt } = about;
  return {
    id: uuidv7(clock.now()),
    subject,
    subject_id: subjectId,
    reason,
    requested_at: requestedAt,
    due_at: new Date(requestedAt.getTime() + promisedMs),
    removed_at: null,
    removed_by: null,
    cleaned_at: null,
    certificate: {},
  };
}

/** SQL of erasures; the only writer of their table. */
export class ErasureStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** An existing erasure stays: each subject has one. */
  async add(tx: Tx, row: ErasureRow): Promise<void> {
    await tx
      .as<Tables>()
      .insertInto('erasure')
      .values({ ...row, removed_by: null, certificate: asJson(row.certificate) })
      .onConflict((conflict) => conflict.columns(['subject', 'subject_id']).doNothing())
      .execute();
  }

  /** Beside what was counted before. */
  async count(tx: Tx, id: string, more: Partial<Counts>): Promise<void> {
    const db = tx.as<Tables>();
    const row = await db
      .selectFrom('erasure')
      .select('certificate')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const counts: Record<keyof Counts, number> & Partial<Proven & WithUnknown> = {
      ...nothing,
      ...row.certificate,
    };
    for (const name of countNames) counts[name] += more[name] ?? 0;
    await db
      .updateTable('erasure')
      .set({ certificate: asJson(counts) })
      .where('id', '=', id)
      .execute();
  }

  async removed(tx: Tx, id: string, removed_at: Date): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('erasure')
      .set({ removed_at, removed_by: sql<string>`pg_current_xact_id()` })
      .where('id', '=', id)
      .execute();
  }

  async cleaned(
    tx: Tx,
    id: string,
    cleaned_at: Date,
    certificate: Counts & Proven & WithUnknown,
  ): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('erasure')
      .set({ cleaned_at, certificate: asJson(certificate) })
      .where('id', '=', id)
      .execute();
  }

  async of(subject: ErasureRow['subject'], subjectId: string): Promise<ErasureRow | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('erasure')
      .selectAll()
      .where('subject', '=', subject)
      .where('subject_id', '=', subjectId)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Which of these have an erasure. */
  async known(subjectIds: readonly string[]): Promise<Set<string>> {
    if (subjectIds.length === 0) return new Set();
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('erasure')
      .select('subject_id')
      .where('subject_id', 'in', subjectIds)
      .execute();
    return new Set(rows.map(({ subject_id }) => subject_id));
  }

  /** People before accounts: an account is done when its people are. */
  async firstToRemove(): Promise<ErasureRow | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('erasure')
      .selectAll()
      .where('removed_at', 'is', null)
      .orderBy('subject', 'desc')
      .orderBy('requested_at')
      .executeTakeFirst();
    return row ?? null;
  }

  toClean(): Promise<ErasureRow[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('erasure')
      .selectAll()
      .where('removed_at', 'is not', null)
      .where('cleaned_at', 'is', null)
      .orderBy('requested_at')
      .execute();
  }

  page(page: Page): Promise<Paged<ErasureRow>> {
    const rows = this.#db
      .read<Tables>()
      .selectFrom('erasure')
      .selectAll()
      .orderBy('requested_at', 'desc')
      .orderBy('id', 'desc');
    return pageOf(rows, page);
  }
}
