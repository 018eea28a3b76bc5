import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import {
  countsOf,
  cutBy,
  isUntriedBy,
  rowVersion,
  setOther,
  tidy,
  type PackCounts,
  type PackTable,
} from '#db/pack-columns.ts';
import type { Packs } from '#faces/faces.ts';

/** The chip of a visit, sealed. */
export interface SealedChip {
  readonly visit_id: string;
  readonly identity_id: string;
  readonly chip: Buffer;
  readonly cut_by: string;
  readonly version: string;
}

interface Tables {
  visit_picture: { visit_id: string; identity_id: string; chip: Buffer };
  faces_v_identity: { id: string; is_readable: boolean };
}

const pictures: PackTable = {
  name: 'visit_picture',
  id: 'visit_id',
  vector: 'template',
  hasChips: true,
};

/** SQL of a visit's vector of another pack; it writes the pictures of VisitStore. */
export class ReembeddingStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  count(pack: string): Promise<PackCounts> {
    return this.#readable().select(countsOf(pack)).executeTakeFirstOrThrow();
  }

  /** Returns the newest first: ids of visits contain the time. */
  chips(pack: string, limit: number, below: string | null): Promise<SealedChip[]> {
    return this.#chips()
      .where(isUntriedBy(pack))
      .$if(below !== null, (query) => query.where('visit_id', '<', below!))
      .orderBy('visit_id', 'desc')
      .limit(limit)
      .execute();
  }

  /** Returns the chips of these visits. */
  chipsOf(visitIds: readonly string[]): Promise<SealedChip[]> {
    if (visitIds.length === 0) return Promise.resolve([]);
    return this.#chips().where('visit_id', 'in', visitIds).execute();
  }

  /** Whether the row is as it was read; it stays so until `tx` ends. */
  async isUnchanged(tx: Tx, id: string, version: string): Promise<boolean> {
    const { rows } = await sql`
      select from visit_picture where visit_id = ${id} and ${rowVersion} = ${version}
      for update`.execute(tx.as<Tables>());
    return rows.length > 0;
  }

  async keep(tx: Tx, id: string, packs: Packs, vector: Buffer | null): Promise<void> {
    await setOther(tx, pictures, packs, vector, sql`visit_id = ${id}`);
  }

  tidy(
    tx: Tx,
    packs: { readonly serving: string; readonly packs: readonly string[] },
    limit: number,
  ): Promise<number> {
    return tidy(tx, pictures, packs, limit);
  }

  #readable() {
    return this.#db
      .read<Tables>()
      .selectFrom('visit_picture')
      .innerJoin('faces_v_identity as identity', 'identity.id', 'visit_picture.identity_id')
      .where('identity.is_readable', '=', true);
  }

  #chips() {
    return this.#readable().select([
      'visit_id',
      'identity_id',
      'chip',
      cutBy,
      sql<string>`visit_picture.${rowVersion}`.as('version'),
    ]);
  }
}
