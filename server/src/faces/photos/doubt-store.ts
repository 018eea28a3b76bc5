import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import { packColumns, type PackColumns } from '#db/pack-columns.ts';
import type { Doubt } from './doubts.ts';

/** What is known of whether a photo shows its person. */
export interface DoubtColumns {
  readonly doubt: Doubt['reason'] | null;
  /** Whom it fits better; they may have been deleted since. */
  readonly doubt_person: string | null;
  /** It takes no part in recognition. */
  readonly is_aside: boolean;
}

/** A usable photo with its vectors, and the sealed key that opens them. */
export interface ComparedPhoto extends PackColumns, DoubtColumns {
  readonly image_id: string;
  readonly person_id: string;
  readonly identity_id: string;
  readonly embedding_id: string;
  readonly data_key: Buffer;
  /** A user said that it shows the person: by using it again, or by identifying an unknown person. */
  readonly is_confirmed: boolean;
}

/** `photos`: theirs changed since they were compared. `others`: those of others did. */
export type Comparison = 'photos' | 'others' | 'done';

export interface ComparedPerson {
  readonly created_by: string | null;
  readonly comparison: Comparison;
  readonly compared_by: string | null;
}

interface Tables {
  person: ComparedPerson & { id: string };
  face_image: DoubtColumns & { id: string; person_id: string; is_kept: boolean };
  face_embedding: PackColumns & { id: string; image_id: string; identity_id: string };
  identity: { id: string; data_key: Buffer | null };
}

const noDoubt = { doubt: null, doubt_person: null, is_aside: false } as const;

/** SQL of photos that may not show their person; it writes the tables of the person store. */
export class DoubtStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Keeps others from changing the photos of a person before `tx` ends; null: the person is gone. */
  async lock(tx: Tx, personId: string): Promise<ComparedPerson | null> {
    const row = await tx
      .as<Tables>()
      .selectFrom('person')
      .select(['created_by', 'comparison', 'compared_by'])
      .where('id', '=', personId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns the usable photos of these people, the oldest first. */
  photos(tx: Tx, personIds: readonly string[]): Promise<ComparedPhoto[]> {
    if (personIds.length === 0) return Promise.resolve([]);
    return this.#usable(tx).where('face_image.person_id', 'in', personIds).execute();
  }

  /** Returns the photo alone; none: it is not usable. */
  photo(tx: Tx, imageId: string): Promise<ComparedPhoto[]> {
    return this.#usable(tx).where('face_image.id', '=', imageId).execute();
  }

  #usable(tx: Tx) {
    return tx
      .as<Tables>()
      .selectFrom('face_image')
      .innerJoin('face_embedding', 'face_embedding.image_id', 'face_image.id')
      .innerJoin('identity', 'identity.id', 'face_embedding.identity_id')
      .select([
        'face_image.id as image_id',
        'face_image.person_id',
        'face_embedding.identity_id',
        'face_embedding.id as embedding_id',
        ...packColumns,
        'doubt',
        'doubt_person',
        'is_aside',
      ])
      .select(sql<boolean>`is_kept or identity.number is not null`.as('is_confirmed'))
      .select((is) => is.ref('identity.data_key').$notNull().as('data_key'))
      .where('identity.data_key', 'is not', null)
      .orderBy('face_image.id');
  }

  async setDoubt(tx: Tx, imageId: string, doubt: DoubtColumns): Promise<void> {
    const change = tx.as<Tables>().updateTable('face_image').set(doubt);
    await change.where('id', '=', imageId).execute();
  }

  /** Photos that became unusable are in doubt no longer. */
  async clear(tx: Tx, personId: string, usable: readonly string[]): Promise<void> {
    await sql`
      update face_image set doubt = null, doubt_person = null, is_aside = false
      where person_id = ${personId} and doubt is not null
        and id <> all(${usable}::uuid[])`.execute(tx.as<Tables>());
  }

  /** Keeps a photo that a user confirmed: it is used until the photos of the person change. */
  async keep(tx: Tx, imageId: string): Promise<void> {
    const change = tx.as<Tables>().updateTable('face_image');
    await change
      .set({ ...noDoubt, is_kept: true })
      .where('id', '=', imageId)
      .execute();
  }

  /** Returns null when this person has no such photo. */
  async find(
    tx: Tx,
    personId: string,
    imageId: string,
  ): Promise<(DoubtColumns & { identity_id: string }) | null> {
    const row = await tx
      .as<Tables & { face_image: { identity_id: string } }>()
      .selectFrom('face_image')
      .select(['doubt', 'doubt_person', 'is_aside', 'identity_id'])
      .where('id', '=', imageId)
      .where('person_id', '=', personId)
      .executeTakeFirst();
    return row ?? null;
  }

  async setCompared(tx: Tx, personId: string, pack: string): Promise<void> {
    const change = tx.as<Tables>().updateTable('person');
    await change
      .set({ comparison: 'done', compared_by: pack })
      .where('id', '=', personId)
      .execute();
  }

  /**
   * The photos of a person changed: of those in doubt, the ones that were near to them or fitted them are compared
   * again. A person who is locked is being compared already, or is about to be. False: there are none.
   */
  async compareAgain(tx: Tx, personId: string, near: readonly string[]): Promise<boolean> {
    const { numAffectedRows } = await sql`
      update person set comparison = 'others' where id in (
        select person.id from person
        where comparison = 'done' and id <> ${personId} and exists (
          select from face_image where person_id = person.id and doubt is not null
            and (doubt_person = ${personId} or person.id = any(${near}::uuid[])))
        for no key update skip locked)`.execute(tx.as<Tables>());
    return (numAffectedRows ?? 0n) > 0n;
  }

  /** Where a photo fitted a person who is gone, the photos are compared again. */
  async compareOrphans(): Promise<void> {
    await sql`
      update person set comparison = 'others' where id in (
        select face_image.person_id from face_image
        left join person as fitted on fitted.id = doubt_person
        where doubt_person is not null and fitted.id is null)
        and comparison = 'done'`.execute(this.#db.write<Tables>());
  }

  /** Returns people whose photos are to be compared. */
  async waiting(limit: number): Promise<string[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('person')
      .select('id')
      .where('comparison', '<>', 'done')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Returns people whose photos were not compared by this pack. */
  async notComparedBy(pack: string, limit: number): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from person where compared_by is distinct from ${pack}
      order by id limit ${limit}`.execute(this.#db.read<Tables>());
    return rows.map(({ id }) => id);
  }
}
