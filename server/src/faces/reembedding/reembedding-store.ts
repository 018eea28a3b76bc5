import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import {
  countsOf,
  cutBy,
  hasVectorOf,
  isUnreadableBy,
  isUntriedBy,
  rowVersion,
  setOther,
  tidy,
  type PackCounts,
  type PackTable,
} from '#db/pack-columns.ts';

/** The chip of a photo, sealed, with the sealed key that opens it. */
export interface SealedChip {
  readonly id: string;
  readonly image_id: string;
  readonly identity_id: string;
  readonly chip: Buffer;
  readonly cut_by: string;
  readonly data_key: Buffer;
  readonly version: string;
}

/** A pack, and the one whose vectors stay beside its own. */
export interface Packs {
  readonly pack: string;
  readonly serving: string;
}

interface Tables {
  face_embedding: {
    id: string;
    image_id: string;
    identity_id: string;
    chip: Buffer;
  };
  identity: { id: string; data_key: Buffer | null };
  face_image: { id: string; person_id: string; fault: string | null };
  person: { id: string; first_name: string; last_name: string };
}

const photos: PackTable = { name: 'face_embedding', id: 'id', hasChips: true };
const references: PackTable = { name: 'stranger_reference', id: 'visit_id' };
const negatives: PackTable = { name: 'negative', id: 'visit_id' };

/** SQL of vectors of another pack; it writes the tables of the other stores of faces. */
export class ReembeddingStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  count(pack: string): Promise<PackCounts> {
    return this.#readable().select(countsOf(pack)).executeTakeFirstOrThrow();
  }

  /** Returns the newest first: ids contain the time. */
  chips(pack: string, limit: number, below: string | null): Promise<SealedChip[]> {
    return this.#readable()
      .select(['face_embedding.id', 'image_id', 'identity_id', 'chip'])
      .select([cutBy, sql<string>`face_embedding.${rowVersion}`.as('version')])
      .select((is) => is.ref('identity.data_key').$notNull().as('data_key'))
      .where(isUntriedBy(pack))
      .$if(below !== null, (query) => query.where('face_embedding.id', '<', below!))
      .orderBy('face_embedding.id', 'desc')
      .limit(limit)
      .execute();
  }

  /** False: the row has changed since it was read. */
  async keepPhoto(
    tx: Tx,
    { id, version }: Pick<SealedChip, 'id' | 'version'>,
    packs: Packs,
    vector: Buffer | null,
  ): Promise<boolean> {
    const which = sql`id = ${id} and ${rowVersion} = ${version}`;
    return (await setOther(tx, photos, packs, vector, which)) > 0;
  }

  /** Returns visits whose picture is a reference of a stranger or a negative, without a vector of this pack. */
  async visits(pack: string, limit: number): Promise<string[]> {
    const { rows } = await sql<{ visit_id: string }>`
      select visit_id from stranger_reference where ${isUntriedBy(pack)}
      union select visit_id from negative where ${isUntriedBy(pack)}
      order by visit_id desc limit ${limit}`.execute(this.#db.read<Tables>());
    return rows.map(({ visit_id }) => visit_id);
  }

  /** Returns the identities under whose keys something of these visits is sealed. */
  async sealers(tx: Tx, visitIds: readonly string[]): Promise<Sealer[]> {
    const { rows } = await sql<Sealer>`
      select visit_id, identity_id, 'reference' as kind from stranger_reference
      where visit_id = any(${visitIds}::uuid[])
      union select visit_id, identity_id, 'negative' from negative
      where visit_id = any(${visitIds}::uuid[])
      order by visit_id`.execute(tx.as<Tables>());
    return rows;
  }

  async keepOfVisit(
    tx: Tx,
    { kind, visit_id, identity_id }: Sealer,
    packs: Packs,
    vector: Buffer | null,
  ): Promise<void> {
    const table = kind === 'reference' ? references : negatives;
    const which = sql`visit_id = ${visit_id} and identity_id = ${identity_id}`;
    await setOther(tx, table, packs, vector, which);
  }

  /** Returns the identities of the people whom these visits are not. */
  async ruledOutBy(tx: Tx, visitIds: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select distinct identity.id from negative
      join identity on identity.person_id = negative.person_id
      where visit_id = any(${visitIds}::uuid[])`.execute(tx.as<Tables>());
    return rows.map(({ id }) => id);
  }

  /**
   * Keeps others from adding or changing a photo's vectors before `tx` ends. Returns how many photos this pack was
   * not tried on.
   */
  async lockPhotos(tx: Tx, pack: string): Promise<number> {
    const db = tx.as<Tables>();
    await sql`lock table face_embedding in share row exclusive mode`.execute(db);
    const { rows } = await sql<{ untried: number }>`
      select count(*) as untried from face_embedding
      join identity on identity.id = face_embedding.identity_id
      where identity.data_key is not null and ${isUntriedBy(pack)}`.execute(db);
    return rows[0]!.untried;
  }

  /** Counts photos that are usable and would not be with this pack. */
  async countLosses(pack: string, tx?: Tx): Promise<number> {
    const db = tx ? tx.as<Tables>() : this.#db.read<Tables>();
    const { photos: lost } = await db
      .selectFrom('face_embedding')
      .innerJoin('face_image', 'face_image.id', 'face_embedding.image_id')
      .select(sql<number>`count(*)`.as('photos'))
      .where('face_image.fault', 'is', null)
      .where(isUnreadableBy(pack))
      .executeTakeFirstOrThrow();
    return lost;
  }

  /** Returns people with a usable photo who have none with this pack, in the order of their names. */
  async losers(pack: string, limit: number): Promise<{ id: string; name: string }[]> {
    const lost = isUnreadableBy(pack);
    const { rows } = await sql<{ id: string; name: string }>`
      select person.id, trim(person.first_name || ' ' || person.last_name) as name from person
      where exists (
        select from face_image join face_embedding on image_id = face_image.id
        where person_id = person.id and fault is null and ${lost}
      ) and not exists (
        select from face_image join face_embedding on image_id = face_image.id
        where person_id = person.id and ${hasVectorOf(pack)}
      ) order by name, person.id limit ${limit}`.execute(this.#db.read<Tables>());
    return rows;
  }

  /** Makes photos usable or not, as this pack can read them; returns the identities of those that changed. */
  async setFaults(tx: Tx, pack: string): Promise<string[]> {
    const { rows } = await sql<{ identity_id: string }>`
      update face_image set fault = case when has then null else 'no_face' end
      from (select image_id, ${hasVectorOf(pack)} as has from face_embedding) as read
      where read.image_id = face_image.id and (fault is null) <> has
      returning face_image.identity_id`.execute(tx.as<Tables>());
    return [...new Set(rows.map(({ identity_id }) => identity_id))];
  }

  async tidy(
    tx: Tx,
    packs: { readonly serving: string; readonly packs: readonly string[] },
    limit: number,
  ): Promise<number> {
    let rows = 0;
    for (const table of [photos, references, negatives])
      rows += await tidy(tx, table, packs, limit);
    return rows;
  }

  #readable() {
    return this.#db
      .read<Tables>()
      .selectFrom('face_embedding')
      .innerJoin('identity', 'identity.id', 'face_embedding.identity_id')
      .where('identity.data_key', 'is not', null);
  }
}

/** The identity under whose key something of a visit is sealed. */
export interface Sealer {
  readonly kind: 'reference' | 'negative';
  readonly visit_id: string;
  readonly identity_id: string;
}
