import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import { packColumns, type PackColumns } from '#db/pack-columns.ts';

export interface IdentityRow {
  readonly id: string;
  readonly person_id: string | null;
  readonly data_key: Buffer | null;
  readonly created_at: Date;
}

export interface EmbeddingRow extends PackColumns {
  readonly id: string;
  readonly image_id: string;
  readonly identity_id: string;
  readonly chip: Buffer;
  /** `id@version` of the pack that made the chip; null: the row's. */
  readonly cut_by: string | null;
  readonly quality: number;
  readonly created_at: Date;
}

/** The vectors of one photo, with the sealed key that opens them. */
export interface SealedVector extends PackColumns {
  readonly identity_id: string;
  readonly embedding_id: string;
  readonly data_key: Buffer;
}

/** A vector of a photo of an active person, with who the person is. */
export interface SealedReference extends SealedVector {
  readonly image_id: string;
  /** When the photo was added. */
  readonly added_at: Date;
  readonly quality: number;
  readonly person_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly created_by: string | null;
  readonly category_id: string;
}

/** The column of the identities' keys: a backup keeps them apart, so that an erasure reaches it. */
export const identityKeyColumn = { table: 'identity', key: 'id', value: 'data_key' } as const;

interface Tables {
  identity: IdentityRow & { number?: number | null };
  face_embedding: EmbeddingRow;
  face_image: { id: string; person_id: string; created_at: Date; is_aside: boolean };
  person: {
    id: string;
    first_name: string;
    last_name: string;
    is_active: boolean;
    created_by: string | null;
    category_id: string;
  };
}

/** SQL of identities and embeddings; the only writer of those tables. */
export class IdentityStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(tx: Tx, row: IdentityRow): Promise<void> {
    await tx.as<Tables>().insertInto('identity').values(row).execute();
  }

  async dataKey(id: string): Promise<Buffer | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('identity')
      .select('data_key')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.data_key ?? null;
  }

  /** Returns the data keys of the identities that were not erased. */
  async dataKeys(ids: readonly string[]): Promise<{ id: string; data_key: Buffer }[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('identity')
      .select(['id', 'data_key'])
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute();
    return rows.flatMap(({ id, data_key }) => (data_key ? [{ id, data_key }] : []));
  }

  /** The vectors of a person's photos, recognized now or not; none that is set aside. */
  vectorsOf(personId: string): Promise<SealedVector[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('face_embedding')
      .innerJoin('face_image', 'face_image.id', 'face_embedding.image_id')
      .innerJoin('identity', 'identity.id', 'face_embedding.identity_id')
      .select(['face_embedding.identity_id', 'face_embedding.id as embedding_id', ...packColumns])
      .select((is) => is.ref('identity.data_key').$notNull().as('data_key'))
      .where('face_image.person_id', '=', personId)
      .where('face_image.is_aside', '=', false)
      .where('identity.data_key', 'is not', null)
      .execute();
  }

  async identitiesOf(personId: string): Promise<string[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('identity')
      .select('id')
      .where('person_id', '=', personId)
      .orderBy('created_at')
      .execute();
    return rows.map(({ id }) => id);
  }

  async hasIdentity(tx: Tx, personId: string): Promise<boolean> {
    const row = await tx
      .as<Tables>()
      .selectFrom('identity')
      .select('id')
      .where('person_id', '=', personId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** The identity that began with the person, not with a stranger who was identified as them. */
  async ownIdentity(tx: Tx, personId: string): Promise<string | null> {
    const row = await tx
      .as<Tables>()
      .selectFrom('identity')
      .select('id')
      .where('person_id', '=', personId)
      .where('number', 'is', null)
      .orderBy('created_at')
      .executeTakeFirst();
    return row?.id ?? null;
  }

  async addEmbedding(tx: Tx, row: EmbeddingRow): Promise<void> {
    await tx.as<Tables>().insertInto('face_embedding').values(row).execute();
  }

  async removeEmbeddingOf(tx: Tx, imageId: string): Promise<void> {
    await tx.as<Tables>().deleteFrom('face_embedding').where('image_id', '=', imageId).execute();
  }

  /** Returns the next identities of active people, in the order of their ids. */
  async namedAfter(id: string | null, limit: number): Promise<string[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('identity')
      .innerJoin('person', 'person.id', 'identity.person_id')
      .select('identity.id')
      .where('person.is_active', '=', true)
      .where('identity.data_key', 'is not', null)
      .$if(id !== null, (query) => query.where('identity.id', '>', id!))
      .orderBy('identity.id')
      .limit(limit)
      .execute();
    return rows.map((row) => row.id);
  }

  /** Returns the references of those of these identities that belong to active people; none that is set aside. */
  references(identityIds: readonly string[]): Promise<SealedReference[]> {
    if (identityIds.length === 0) return Promise.resolve([]);
    return this.#db
      .read<Tables>()
      .selectFrom('face_embedding')
      .innerJoin('face_image', 'face_image.id', 'face_embedding.image_id')
      .innerJoin('identity', 'identity.id', 'face_embedding.identity_id')
      .innerJoin('person', 'person.id', 'identity.person_id')
      .select([
        'face_embedding.identity_id',
        'face_embedding.id as embedding_id',
        'image_id',
        'face_image.created_at as added_at',
        'quality',
        ...packColumns,
        'person.id as person_id',
        'person.first_name',
        'person.last_name',
        'person.created_by',
        'person.category_id',
      ])
      .select((is) => is.ref('identity.data_key').$notNull().as('data_key'))
      .where('person.is_active', '=', true)
      .where('face_image.is_aside', '=', false)
      .where('identity.data_key', 'is not', null)
      .where('identity.id', 'in', identityIds)
      .execute();
  }
}
