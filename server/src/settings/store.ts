import type { Kysely } from 'kysely';
import type { SectionName } from '@nazar/contract/settings.ts';
import type { Database, Tx } from '#db/database.ts';

type Value = Readonly<Record<string, unknown>>;

interface Tables {
  setting: { section: SectionName; value: Value; changed_at: Date };
  attribute_confirmation: { confirmed_by: string; confirmed_at: Date };
}

/** SQL of settings; the only writer of its tables. */
export class SettingsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** The changed fields of a section; empty if none was ever changed. */
  async value(section: SectionName): Promise<Value> {
    const row = await select(this.#db.read<Tables>(), section).executeTakeFirst();
    return row?.value ?? {};
  }

  /** The same, locked until the transaction ends, so that two simultaneous changes take turns. */
  async valueForUpdate(tx: Tx, section: SectionName, at: Date): Promise<Value> {
    const db = tx.as<Tables>();
    await db
      .insertInto('setting')
      .values({ section, value: {}, changed_at: at })
      .onConflict((conflict) => conflict.column('section').doNothing())
      .execute();
    const row = await select(db, section).forUpdate().executeTakeFirstOrThrow();
    return row.value;
  }

  /** When a user confirmed that attributes are inferred from faces; null: none has. */
  async attributesConfirmedAt(): Promise<Date | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('attribute_confirmation')
      .select('confirmed_at')
      .executeTakeFirst();
    return row?.confirmed_at ?? null;
  }

  /** True if no user had confirmed it before. */
  async confirmAttributes(tx: Tx, by: string, at: Date): Promise<boolean> {
    const row = await tx
      .as<Tables>()
      .insertInto('attribute_confirmation')
      .values({ confirmed_by: by, confirmed_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning('confirmed_at')
      .executeTakeFirst();
    return row !== undefined;
  }

  async save(tx: Tx, section: SectionName, value: Value, at: Date): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('setting')
      .set({ value, changed_at: at })
      .where('section', '=', section)
      .execute();
  }
}

function select(db: Kysely<Tables>, section: SectionName) {
  return db.selectFrom('setting').select('value').where('section', '=', section);
}
