import { sql } from 'kysely';
import type { ConsentFields } from '@nazar/contract/privacy.ts';
import type { Database, Tx } from '#db/database.ts';

export interface ConsentRow {
  readonly person_id: string;
  readonly basis: Exclude<ConsentFields['basis'], 'not_recorded'>;
  /** Days, `YYYY-MM-DD`. */
  readonly obtained_at: string;
  readonly expires_at: string | null;
  readonly document: string;
  readonly recorded_by: string;
  readonly recorded_at: Date;
}

interface Tables {
  consent: ConsentRow;
  faces_v_person: { id: string };
  app_user: { id: string; first_name: string; last_name: string };
}

/** SQL of consent; the only writer of its table. */
export class ConsentStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async find(personId: string): Promise<(ConsentRow & { recorded_by_name: string }) | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('consent')
      .leftJoin('app_user', 'app_user.id', 'consent.recorded_by')
      .selectAll('consent')
      .select(
        sql<string>`coalesce(app_user.first_name || ' ' || app_user.last_name, '')`.as(
          'recorded_by_name',
        ),
      )
      .where('person_id', '=', personId)
      .executeTakeFirst();
    return row ?? null;
  }

  async save(tx: Tx, row: ConsentRow): Promise<void> {
    const { person_id, ...fields } = row;
    await tx
      .as<Tables>()
      .insertInto('consent')
      .values({ person_id, ...fields })
      .onConflict((conflict) => conflict.column('person_id').doUpdateSet(fields))
      .execute();
  }

  async remove(tx: Tx, personId: string): Promise<void> {
    await tx.as<Tables>().deleteFrom('consent').where('person_id', '=', personId).execute();
  }

  /** Returns the people whose basis ended by `day`, and, where one is required, those who have none. */
  async withheld(day: string, isRequired: boolean): Promise<string[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('faces_v_person as person')
      .leftJoin('consent', 'consent.person_id', 'person.id')
      .select('person.id')
      .where((is) =>
        is.or([
          is('consent.expires_at', '<=', day),
          ...(isRequired ? [is('consent.person_id', 'is', null)] : []),
        ]),
      )
      .execute();
    return rows.map(({ id }) => id);
  }
}
