import { sql, type Generated } from 'kysely';
import type { FaceQuery } from '@nazar/contract/faces.ts';
import type { PictureFault } from '@nazar/contract/problem.ts';
import type { Database, Tx } from '#db/database.ts';
import { hasText, isText } from '#db/like.ts';
import { pageOf, type Paged } from '#db/page.ts';
import type { Scope } from '#http/scope.ts';
import type { Comparison, DoubtColumns } from './photos/doubt-store.ts';

export interface PersonRow {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly category_id: string;
  readonly description: string;
  readonly email: string;
  readonly phone: string;
  readonly position: string;
  readonly notes: string;
  readonly is_active: boolean;
  readonly is_demo: boolean;
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A person's columns that other stores fill. */
interface StoredPerson extends PersonRow {
  readonly comparison: Generated<Comparison>;
}

export interface ImageRow {
  readonly id: string;
  readonly person_id: string;
  readonly identity_id: string;
  readonly photo: Buffer;
  readonly thumbnail: Buffer;
  readonly fault: PictureFault | null;
  /** `id@version` of the pack that found the fault; null: not recorded. */
  readonly looked_by: string | null;
  /** It was checked in all four rotations. */
  readonly is_turn_checked: boolean;
  readonly created_at: Date;
}

/** A photo that is to be checked again, and whose it is. */
export type WaitingImage = Pick<ImageRow, 'id' | 'person_id'>;

export type ListedPerson = PersonRow & {
  readonly category_name: string;
  readonly category_color: string;
  readonly created_by_name: string;
};

export interface ListedImage extends Pick<ImageRow, 'id' | 'person_id' | 'fault'>, DoubtColumns {
  /** Whom it fits better: the account that added them, and their name. Null: they are gone. */
  readonly fits_added_by: string | null;
  readonly fits_name: string | null;
}

interface StoredImage extends ImageRow, ColumnsOf<DoubtColumns> {
  readonly is_kept: Generated<boolean>;
}

/** They have defaults: what inserts a photo does not name them. */
type ColumnsOf<T> = { readonly [Key in keyof T]: Generated<T[Key]> };

interface Tables {
  person: StoredPerson;
  face_category: { id: string; name: string; color: string };
  face_image: StoredImage;
  app_user: { id: string; first_name: string; last_name: string };
}

/** A person registered by a single name has no other. */
const fullName = sql<string>`trim(person.first_name || ' ' || person.last_name)`;

const searched = [
  sql`concat_ws(' ', person.first_name, person.last_name)`,
  sql.ref('person.email'),
  sql.ref('person.position'),
  sql.ref('person.phone'),
];

const listedColumns = [
  'face_category.name as category_name',
  'face_category.color as category_color',
  sql<string>`coalesce(app_user.first_name || ' ' || app_user.last_name, '')`.as('created_by_name'),
] as const;

/** SQL of people and their photos; the only writer of those tables. */
export class PersonStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(scope: Scope, query: FaceQuery): Promise<Paged<ListedPerson>> {
    const isDescending = query.ordering.startsWith('-');
    const column = (isDescending ? query.ordering.slice(1) : query.ordering) as
      'last_name' | 'created_at';
    const rows = this.#matching(scope, query)
      .selectAll('person')
      .select(listedColumns)
      .orderBy(`person.${column}`, isDescending ? 'desc' : 'asc')
      .orderBy('person.id');
    return pageOf(rows, { page: query.page, pageSize: query.page_size });
  }

  /** All of them in one reading, without their photos: 10,000 people in pages cost fifteen times as much. */
  listNames(scope: Scope): Promise<{ id: string; name: string }[]> {
    return this.#visible(scope)
      .select(['person.id', fullName.as('name')])
      .orderBy('person.last_name')
      .orderBy('person.id')
      .execute();
  }

  async inCategories(
    scope: Scope,
    categoryIds: readonly string[],
    limit: number,
  ): Promise<{ id: string; name: string }[]> {
    if (categoryIds.length === 0) return [];
    return this.#visible(scope)
      .select(['person.id', fullName.as('name')])
      .where('person.is_active', '=', true)
      .where('person.category_id', 'in', [...categoryIds])
      .orderBy('person.last_name')
      .orderBy('person.id')
      .limit(limit)
      .execute();
  }

  async names(scope: Scope): Promise<string[]> {
    const rows = await this.#visible(scope).select(fullName.as('name')).orderBy('name').execute();
    return rows.map(({ name }) => name);
  }

  /** Returns the people who have exactly this name; if there are none, those who have it in another letter case. */
  async named(scope: Scope, name: string): Promise<string[]> {
    const rows = await this.#visible(scope)
      .select(['person.id', sql<boolean>`${fullName} = ${name}`.as('is_exact')])
      .where(isText(fullName, name))
      .execute();
    const exact = rows.filter(({ is_exact }) => is_exact);
    return (exact.length > 0 ? exact : rows).map(({ id }) => id);
  }

  /** Null outside the scope. */
  async find(scope: Scope, id: string): Promise<ListedPerson | null> {
    const row = await this.#visible(scope)
      .selectAll('person')
      .select(listedColumns)
      .where('person.id', '=', id)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Whether the person exists at all, for the refusals that the documents word. */
  async exists(id: string): Promise<boolean> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('person')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined;
  }

  async hasDemo(tx: Tx): Promise<boolean> {
    const row = await tx
      .as<Tables>()
      .selectFrom('person')
      .select('id')
      .where('is_demo', '=', true)
      .executeTakeFirst();
    return row !== undefined;
  }

  images(personIds: readonly string[]): Promise<ListedImage[]> {
    if (personIds.length === 0) return Promise.resolve([]);
    return this.#db
      .read<Tables>()
      .selectFrom('face_image')
      .leftJoin('person as fits', 'fits.id', 'face_image.doubt_person')
      .select(['face_image.id', 'face_image.person_id', 'fault'])
      .select(['doubt', 'doubt_person', 'is_aside', 'fits.created_by as fits_added_by'])
      .select(sql<string | null>`trim(fits.first_name || ' ' || fits.last_name)`.as('fits_name'))
      .where('face_image.person_id', 'in', personIds)
      .orderBy('face_image.created_at')
      .orderBy('face_image.id')
      .execute();
  }

  async countImages(tx: Tx, personId: string): Promise<number> {
    const { images } = await tx
      .as<Tables>()
      .selectFrom('face_image')
      .select(({ fn }) => fn.countAll<number>().as('images'))
      .where('person_id', '=', personId)
      .executeTakeFirstOrThrow();
    return images;
  }

  async image(
    personId: string,
    imageId: string,
    size: 'photo' | 'thumbnail',
  ): Promise<{ identityId: string; sealed: Buffer } | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('face_image')
      .select(['identity_id', `${size} as sealed`])
      .where('id', '=', imageId)
      .where('person_id', '=', personId)
      .executeTakeFirst();
    return row ? { identityId: row.identity_id, sealed: row.sealed } : null;
  }

  /** Null: it was removed. */
  async photoOf(imageId: string): Promise<Buffer | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('face_image')
      .select('photo')
      .where('id', '=', imageId)
      .executeTakeFirst();
    return row?.photo ?? null;
  }

  async add(tx: Tx, row: PersonRow): Promise<void> {
    await tx.as<Tables>().insertInto('person').values(row).execute();
  }

  async change(tx: Tx, id: string, change: Partial<PersonRow>): Promise<void> {
    await tx.as<Tables>().updateTable('person').set(change).where('id', '=', id).execute();
  }

  async addImage(tx: Tx, row: ImageRow): Promise<void> {
    await this.photosChanged(tx, row.person_id);
    await tx.as<Tables>().insertInto('face_image').values(row).execute();
  }

  /**
   * Returns how many photos the person has, and keeps others from adding one before `tx` ends; null: the person is
   * gone.
   */
  async lock(tx: Tx, personId: string): Promise<number | null> {
    const db = tx.as<Tables>();
    const person = await db
      .selectFrom('person')
      .select('id')
      .where('id', '=', personId)
      .forUpdate()
      .executeTakeFirst();
    if (!person) return null;
    const { count } = await db
      .selectFrom('face_image')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('person_id', '=', personId)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Null when the photo was removed meanwhile; else it cannot be removed before `tx` ends. */
  async lockImage(tx: Tx, imageId: string): Promise<{ fault: PictureFault | null } | null> {
    const row = await tx
      .as<Tables>()
      .selectFrom('face_image')
      .select('fault')
      .where('id', '=', imageId)
      .forUpdate()
      .executeTakeFirst();
    return row ?? null;
  }

  async setFault(tx: Tx, imageId: string, fault: PictureFault | null): Promise<void> {
    const change = tx.as<Tables>().updateTable('face_image').set({ fault });
    await change.where('id', '=', imageId).execute();
  }

  async setCheckedBy(tx: Tx, imageId: string, pack: string): Promise<void> {
    const checked = { looked_by: pack, is_turn_checked: true };
    const change = tx.as<Tables>().updateTable('face_image').set(checked);
    await change.where('id', '=', imageId).execute();
  }

  async setTurnChecked(tx: Tx, imageId: string): Promise<void> {
    const change = tx.as<Tables>().updateTable('face_image').set({ is_turn_checked: true });
    await change.where('id', '=', imageId).execute();
  }

  /** The same photo, turned. */
  async setPixels(
    tx: Tx,
    imageId: string,
    pixels: Pick<ImageRow, 'photo' | 'thumbnail'>,
  ): Promise<void> {
    const change = tx.as<Tables>().updateTable('face_image').set(pixels);
    await change.where('id', '=', imageId).execute();
  }

  /**
   * Returns unusable photos that this pack has not checked, and photos that were not checked in all four rotations,
   * the oldest first; none of a person who is being erased.
   */
  async toRecheck(pack: string, limit: number): Promise<WaitingImage[]> {
    const { rows } = await sql<WaitingImage>`
      select face_image.id, face_image.person_id from face_image
      join identity on identity.id = face_image.identity_id
      where identity.data_key is not null and (not is_turn_checked
        or fault is not null and looked_by is distinct from ${pack}
          and not exists (select from face_embedding where image_id = face_image.id))
      order by face_image.id limit ${limit}`.execute(this.#db.read<Tables>());
    return rows;
  }

  /**
   * Marks that the photos of a person changed: they are to be compared, and what a user said of one of them no longer
   * holds. The person is locked before the photos, as in all code that changes both.
   */
  async photosChanged(tx: Tx, personId: string): Promise<void> {
    const db = tx.as<Tables>();
    await db
      .updateTable('person')
      .set({ comparison: 'photos' })
      .where('id', '=', personId)
      .execute();
    await db
      .updateTable('face_image')
      .set({ is_kept: false })
      .where('person_id', '=', personId)
      .where('is_kept', '=', true)
      .execute();
  }

  /** The photos of a person are the same, but whom they are compared with has changed. */
  async compareAgain(tx: Tx, personId: string): Promise<void> {
    const change = tx.as<Tables>().updateTable('person').set({ comparison: 'photos' });
    await change.where('id', '=', personId).execute();
  }

  /** False when this person has no such photo. */
  async removeImage(tx: Tx, personId: string, imageId: string): Promise<boolean> {
    await this.photosChanged(tx, personId);
    const removed = await tx
      .as<Tables>()
      .deleteFrom('face_image')
      .where('id', '=', imageId)
      .where('person_id', '=', personId)
      .executeTakeFirst();
    return removed.numDeletedRows > 0n;
  }

  /** Administrators see all people, others those they added. */
  #visible(scope: Scope) {
    const all = this.#db
      .read<Tables>()
      .selectFrom('person')
      .innerJoin('face_category', 'face_category.id', 'person.category_id')
      .leftJoin('app_user', 'app_user.id', 'person.created_by');
    return scope.seesAll ? all : all.where('person.created_by', '=', scope.userId);
  }

  #matching(scope: Scope, { search, category, is_active, created_by }: FaceQuery) {
    let rows = this.#visible(scope);
    if (search) rows = rows.where(hasText(searched, search));
    if (category) rows = rows.where('person.category_id', '=', category);
    if (is_active !== undefined) rows = rows.where('person.is_active', '=', is_active);
    if (created_by) rows = rows.where('person.created_by', '=', created_by);
    return rows;
  }
}
