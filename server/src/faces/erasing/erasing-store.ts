import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';

/** Channel on which every node learns of a change to an identity's references; the payload is the identity's id. */
export const changedChannel = 'faces_changed';

export interface ErasedIdentityRow {
  readonly identity_id: string;
  readonly person_id: string;
  readonly erased_at: Date;
  readonly images: number;
  readonly embeddings: number;
}

/** An erased person: ids and counts. */
export interface ErasedPerson {
  readonly person_id: string;
  readonly erased_at: Date;
  readonly images: number;
  readonly embeddings: number;
  readonly identity_ids: string[];
}

interface Tables {
  person: { id: string; created_by: string | null; comparison: string };
  identity: {
    id: string;
    person_id: string | null;
    data_key: Buffer | null;
    /** Had a name when it was erased: its visits stay counted as recognized. */
    was_known: boolean;
    revision: number;
  };
  stranger_reference: { identity_id: string };
  face_image: { id: string; person_id: string };
  face_embedding: { id: string; image_id: string };
  erased_identity: ErasedIdentityRow;
  faces_v_erased: ErasedPerson;
}

/** SQL of erasing people; it writes the tables of the other stores of faces. */
export class ErasingStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async lockIdentities(tx: Tx, personId: string): Promise<string[]> {
    const rows = await tx
      .as<Tables>()
      .selectFrom('identity')
      .select('id')
      .where('person_id', '=', personId)
      .orderBy('id')
      .forUpdate()
      .execute();
    return rows.map(({ id }) => id);
  }

  async lockUnknown(tx: Tx, strangerIds: readonly string[]): Promise<string[]> {
    if (strangerIds.length === 0) return [];
    const rows = await tx
      .as<Tables>()
      .selectFrom('identity')
      .select('id')
      .where(sql`coalesce(merged_into, id)`, 'in', strangerIds)
      .where('person_id', 'is', null)
      .where('data_key', 'is not', null)
      .orderBy('id')
      .forUpdate()
      .execute();
    return rows.map(({ id }) => id);
  }

  async unknownErasedWith(personId: string): Promise<string[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('erased_identity')
      .innerJoin('identity', 'identity.id', 'erased_identity.identity_id')
      .select('identity.id')
      .where('erased_identity.person_id', '=', personId)
      .where('identity.was_known', '=', false)
      .orderBy('identity.id')
      .execute();
    return rows.map(({ id }) => id);
  }

  async counts(tx: Tx, personId: string): Promise<{ images: number; embeddings: number }> {
    return tx
      .as<Tables>()
      .selectFrom('face_image')
      .leftJoin('face_embedding', 'face_embedding.image_id', 'face_image.id')
      .select(({ fn }) => [
        fn.count<number>('face_image.id').distinct().as('images'),
        fn.count<number>('face_embedding.id').as('embeddings'),
      ])
      .where('face_image.person_id', '=', personId)
      .executeTakeFirstOrThrow();
  }

  async destroyKey(tx: Tx, identityId: string): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('identity')
      .set({
        data_key: null,
        person_id: null,
        was_known: sql<boolean>`is_known`,
        revision: sql<number>`nextval('identity_revision')`,
      })
      .where('id', '=', identityId)
      .execute();
    await this.#promote(tx, identityId);
    await tx
      .as<Tables>()
      .deleteFrom('stranger_reference')
      .where('identity_id', '=', identityId)
      .execute();
  }

  /** When the head of merged strangers goes, another one stands for those who are left. */
  async #promote(tx: Tx, goneId: string): Promise<void> {
    await sql`
      with heir as (
        select id from identity where merged_into = ${goneId} and data_key is not null
        order by number limit 1
      )
      update identity set merged_into = nullif(heir.id, identity.id),
        status = case when identity.id = heir.id then gone.status else identity.status end,
        revision = nextval('identity_revision')
      from heir, identity as gone
      where identity.merged_into = ${goneId} and gone.id = ${goneId}`.execute(tx.as<Tables>());
  }

  /** The first erasure stays: a replayed one adds nothing. */
  async list(tx: Tx, row: ErasedIdentityRow): Promise<void> {
    await tx
      .as<Tables>()
      .insertInto('erased_identity')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async announce(tx: Tx, identityId: string): Promise<void> {
    await this.#db.notify(tx, changedChannel, identityId);
  }

  /** Photos and embeddings go with the person. */
  async removePerson(tx: Tx, personId: string): Promise<void> {
    await tx.as<Tables>().deleteFrom('person').where('id', '=', personId).execute();
  }

  erasedSince(since: Date): Promise<ErasedPerson[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('faces_v_erased')
      .selectAll()
      .where('erased_at', '>=', since)
      .orderBy('erased_at')
      .execute();
  }

  async erased(personId: string): Promise<ErasedPerson | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('faces_v_erased')
      .selectAll()
      .where('person_id', '=', personId)
      .executeTakeFirst();
    return row ?? null;
  }

  async isErased(tx: Tx, identityId: string): Promise<boolean> {
    const row = await tx
      .as<Tables>()
      .selectFrom('identity')
      .select('id')
      .where('id', '=', identityId)
      .where('data_key', 'is', null)
      .executeTakeFirst();
    return row !== undefined;
  }

  async addedBy(userId: string, limit: number): Promise<string[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('person')
      .select('id')
      .where('created_by', '=', userId)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  async countAddedBy(userId: string): Promise<number> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('person')
      .select(({ fn }) => fn.countAll<number>().as('people'))
      .where('created_by', '=', userId)
      .executeTakeFirstOrThrow();
    return row.people;
  }

  async handOver(tx: Tx, from: string, to: string): Promise<number> {
    const moved = await tx
      .as<Tables>()
      .updateTable('person')
      // Their photos are compared with the people of another account now.
      .set({ created_by: to, comparison: 'photos' })
      .where('created_by', '=', from)
      .executeTakeFirst();
    return Number(moved.numUpdatedRows);
  }

  async personOf(identityId: string): Promise<string | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('identity')
      .select('person_id')
      .where('id', '=', identityId)
      .where('data_key', 'is not', null)
      .executeTakeFirst();
    return row?.person_id ?? null;
  }
}
