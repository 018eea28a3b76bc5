import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import { packColumns, type PackColumns } from '#db/pack-columns.ts';
import { changedChannel } from './erasing/erasing-store.ts';

export interface NegativeRow extends PackColumns {
  readonly visit_id: string;
  readonly person_id: string;
  readonly from_identity_id: string;
  readonly identity_id: string;
  readonly confidence: number | null;
  readonly seen_at: Date;
  readonly created_at: Date;
  /** The account that said so, and the entry of the activity log; null: not kept yet. */
  readonly decided_by: string | null;
  readonly entry_id: string | null;
}

/** What a person's identity is not, with the sealed key that opens it. */
export type SealedNegative = Pick<NegativeRow, 'visit_id' | 'identity_id' | keyof PackColumns> & {
  /** The person's identity that it must not match. */
  readonly known_id: string;
  readonly data_key: Buffer;
};

interface Tables {
  negative: NegativeRow;
  identity: { id: string; person_id: string | null; data_key: Buffer | null };
}

/** Which negatives. */
export type WhichNegatives =
  | { readonly visitIds: readonly string[] }
  | { readonly sealedBy: readonly string[] }
  | { readonly before: Date };

/** SQL of negatives; the only writer of their table. */
export class NegativeStore {
  readonly #db: Pick<Database, 'notify' | 'read'>;

  constructor(db: Pick<Database, 'notify' | 'read'>) {
    this.#db = db;
  }

  /** Returns what these identities of people are not. */
  of(identityIds: readonly string[]): Promise<SealedNegative[]> {
    if (identityIds.length === 0) return Promise.resolve([]);
    return this.#db
      .read<Tables>()
      .selectFrom('negative')
      .innerJoin('identity as known', 'known.person_id', 'negative.person_id')
      .innerJoin('identity as sealer', 'sealer.id', 'negative.identity_id')
      .select(['known.id as known_id', 'visit_id', 'identity_id', ...packColumns])
      .select((is) => is.ref('sealer.data_key').$notNull().as('data_key'))
      .where('known.id', 'in', identityIds)
      .where('sealer.data_key', 'is not', null)
      .execute();
  }

  async ofVisit(tx: Tx, visitId: string): Promise<NegativeRow[]> {
    return tx
      .as<Tables>()
      .selectFrom('negative')
      .selectAll()
      .where('visit_id', '=', visitId)
      .orderBy('created_at', 'desc')
      .execute();
  }

  async isRuledOut(tx: Tx, visitId: string, identityId: string): Promise<boolean> {
    const row = await tx
      .as<Tables>()
      .selectFrom('negative')
      .innerJoin('identity', 'identity.person_id', 'negative.person_id')
      .select('visit_id')
      .where('visit_id', '=', visitId)
      .where('identity.id', '=', identityId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Every node learns of it when `tx` commits. */
  async add(tx: Tx, row: NegativeRow): Promise<void> {
    await tx
      .as<Tables>()
      .insertInto('negative')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['visit_id', 'person_id']).doUpdateSet({
          from_identity_id: row.from_identity_id,
          identity_id: row.identity_id,
          vector: row.vector,
          pack_id: row.pack_id,
          pack_version: row.pack_version,
          other_pack: row.other_pack,
          other_vector: row.other_vector,
          confidence: row.confidence,
          created_at: row.created_at,
          decided_by: row.decided_by,
          entry_id: row.entry_id,
        }),
      )
      .execute();
    await this.#announce(tx, [row.person_id]);
  }

  async move(
    tx: Tx,
    { visit_id, person_id }: Pick<NegativeRow, 'visit_id' | 'person_id'>,
    to: Pick<NegativeRow, 'identity_id' | 'vector' | 'other_vector'>,
  ): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('negative')
      .set(to)
      .where('visit_id', '=', visit_id)
      .where('person_id', '=', person_id)
      .execute();
  }

  async removeOne(
    tx: Tx,
    { visit_id, person_id }: Pick<NegativeRow, 'visit_id' | 'person_id'>,
  ): Promise<void> {
    await tx
      .as<Tables>()
      .deleteFrom('negative')
      .where('visit_id', '=', visit_id)
      .where('person_id', '=', person_id)
      .execute();
    await this.#announce(tx, [person_id]);
  }

  /** Every node forgets them when `tx` commits. */
  async remove(tx: Tx, which: WhichNegatives): Promise<void> {
    const rows = await tx
      .as<Tables>()
      .deleteFrom('negative')
      .where((is) => {
        if ('before' in which) return is('seen_at', '<', which.before);
        if ('sealedBy' in which) return is('identity_id', '=', anyOf(which.sealedBy));
        return is('visit_id', '=', anyOf(which.visitIds));
      })
      .returning('person_id')
      .execute();
    await this.#announce(
      tx,
      rows.map(({ person_id }) => person_id),
    );
  }

  async #announce(tx: Tx, personIds: readonly string[]): Promise<void> {
    if (personIds.length === 0) return;
    const rows = await tx
      .as<Tables>()
      .selectFrom('identity')
      .select('id')
      .where('person_id', '=', anyOf(personIds))
      .execute();
    for (const { id } of rows) await this.#db.notify(tx, changedChannel, id);
  }
}

const anyOf = (ids: readonly string[]) => sql<string>`any(${ids}::uuid[])`;
