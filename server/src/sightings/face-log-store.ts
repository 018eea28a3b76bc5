/** What a `Scope` may read of the face logs: which visits, and who they were. */
import { sql, type RawBuilder } from 'kysely';
import { erasedName, unknownName } from '@nazar/contract/names.ts';
import type { FaceLogQuery, VisitKind } from '@nazar/contract/sightings.ts';
import type { Database } from '#db/database.ts';
import { isText } from '#db/like.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { granted, type Scope } from '#http/scope.ts';
import type { PicturePlace } from '#media/media.ts';
import type { HiddenPictures, PictureState } from './hidden-pictures.ts';
import { PagingStore } from './paging-store.ts';
import { mayName } from './readable-names-store.ts';
import { isTheirs } from './stranger-count-store.ts';
import type { SightingRow } from './store.ts';

/** A visit as it is listed; `may_name` says whether this reader may read who it was. */
export interface ListedSighting {
  readonly id: string;
  readonly camera_id: string;
  readonly camera_name: string;
  readonly location: string;
  /** The account that added the camera. */
  readonly camera_added_by: string | null;
  readonly person_id: string | null;
  readonly person_name: string | null;
  /** Without a person: who it was is erased. */
  readonly is_known: boolean;
  readonly identity_id: string;
  /** What the face looks like, sealed by the identity's key; null where the picture is not shown. */
  readonly attributes: Buffer | null;
  /** The unknown person whom the visit shows where nobody is named. */
  readonly stranger_id: string;
  /** The account that added the person. */
  readonly person_added_by: string | null;
  readonly may_name: boolean;
  readonly started_at: Date;
  readonly ended_at: Date;
  /** How sure recognition was of who is named; null: it did not name them. */
  readonly confidence: number | null;
  readonly quality: number;
  readonly picture: PictureState;
  /** The visit does not show the person it was taken for. */
  readonly is_corrected: boolean;
  /** The first moment of it that is recorded; null: none is. */
  readonly recorded_at: Date | null;
  readonly is_match: boolean;
}

/** A visit as it is read, for whoever may see behind masks. */
type ReadSighting = Omit<ListedSighting, 'picture'> & {
  /** False once it is gone by age, or the identity's key was destroyed. */
  readonly has_picture: boolean;
  readonly place: PicturePlace | null;
};

interface Tables {
  sighting: SightingRow;
  cameras_v_camera: { id: string; name: string; location: string; created_by: string | null };
  faces_v_identity: Identity;
}

/** A row of faces_v_identity. */
interface Identity {
  id: string;
  stranger_id: string;
  person_id: string | null;
  /** Has a name, or had one when it was erased. */
  is_known: boolean;
  first_name: string | null;
  last_name: string | null;
  created_by: string | null;
  category_id: string | null;
  is_readable: boolean;
  number: number | null;
  counted_as: string | null;
}

const fullName = sql<string>`trim(identity.first_name || ' ' || identity.last_name)`;

/**
 * The moment it begins where a segment runs then, else the beginning of the first segment that begins while it lasts:
 * two steps in the index of a camera's segments.
 */
const recordedAt = sql<Date | null>`coalesce(
  (select sighting.started_at from (
     select ended_at from recordings_v_segment
      where camera_id = sighting.camera_id and started_at <= sighting.started_at
      order by started_at desc limit 1) running
    where coalesce(running.ended_at, 'infinity') > sighting.started_at),
  (select min(started_at) from recordings_v_segment
    where camera_id = sighting.camera_id
      and started_at > sighting.started_at and started_at <= sighting.ended_at))`;

/**
 * Whether recognition named the person whom the visit shows today: not where a user named an unknown person, or said
 * that it is somebody else. Rows of before do not know as whom they were recognized; unless a user had to name them,
 * identities have no number. Once the person is erased, the visit's own identity stands for them.
 */
const isMatch = sql<boolean>`(identity.is_known and case when sighting.recognized_as is null
  then identity.number is null and sighting.confidence is not null
  else sighting.recognized_as in (identity.counted_as, sighting.identity_id) end)`;

const listedColumns = [
  'sighting.id',
  'sighting.camera_id',
  'camera.name as camera_name',
  'camera.location',
  'identity.person_id',
  'identity.is_known',
  'identity.stranger_id',
  'camera.created_by as camera_added_by',
  fullName.as('person_name'),
  'identity.created_by as person_added_by',
  'sighting.started_at',
  'sighting.ended_at',
  isMatch.as('is_match'),
  sql<number | null>`case when ${isMatch} then sighting.confidence end`.as('confidence'),
  'sighting.quality',
  'sighting.identity_id',
  sql<Buffer | null>`case when identity.is_readable then (
    select attributes from sighting_picture where sighting_id = sighting.id) end`.as('attributes'),
  sql<boolean>`identity.is_readable and exists (
    select from sighting_picture where sighting_id = sighting.id)`.as('has_picture'),
  sql<boolean>`exists (select from faces_v_negative where sighting_id = sighting.id)`.as(
    'is_corrected',
  ),
  recordedAt.as('recorded_at'),
] as const;

const listed = (scope: Scope) =>
  [...listedColumns, mayName(scope).as('may_name'), placeFor(scope).as('place')] as const;

/** Who sees everything is not asked about masks. */
const placeFor = (scope: Scope) =>
  scope.seesAll
    ? sql<PicturePlace | null>`null`
    : sql<PicturePlace | null>`(
        select place from sighting_picture where sighting_id = sighting.id)`;

/** Where `identity` is a row of faces_v_identity: capitals do not matter. */
export const hasName = (name: string) => isText(fullName, name);

/**
 * Of visits, by their `identity_id`: those of the identities that are meant. These are found before any visit is looked
 * at, or the database walks through all people in order and reads the visits of each. Whether a reader may know who
 * they are is for those who read them.
 */
export const isOneOf = (isMeant: RawBuilder<boolean>) => sql<boolean>`
  identity_id = any(array(select id from faces_v_identity identity where ${isMeant}))`;

/** Visits are counted no further where no kept count says how many there are. */
const maxCounted = 10_000;
/** Up to here rows are skipped, which takes milliseconds. */
const lateOffset = 1_000;

export type FaceLogs = Omit<FaceLogQuery, 'start_date' | 'end_date' | 'timezone' | 'user'> & {
  readonly from: Date | null;
  readonly until: Date | null;
  /** Only known people whom this reader may not name. */
  readonly hidden?: boolean;
};
type Filter = Omit<FaceLogs, 'page' | 'limit'>;

export interface ListedVisits {
  readonly count: number;
  /** There are more than were counted. */
  readonly isMore: boolean;
  readonly rows: ListedSighting[];
}

/** Whether the counts kept beside the visits know how many there are. */
const isKept = ({ person_id, person_name, unknown, hidden, kind }: Filter): boolean =>
  !person_id && !person_name && !unknown && !hidden && !kind;

/** SQL of the face logs; it writes nothing. */
export class FaceLogStore {
  readonly #db: Database;
  readonly #paging: PagingStore;
  readonly #hidden: HiddenPictures;

  constructor(db: Database, hidden: HiddenPictures) {
    this.#db = db;
    this.#paging = new PagingStore(db);
    this.#hidden = hidden;
  }

  /** A page of visits with how many there are, counted up to a bound where no kept count says it. */
  async list(scope: Scope, query: FaceLogs): Promise<ListedVisits> {
    const counted = await this.count(scope, query);
    const offset = (query.page - 1) * query.limit;
    if (offset >= counted.count) return { ...counted, rows: [] };
    const isFew = !isKept(query) && !counted.isMore;
    return { ...counted, rows: await (isFew ? this.#few(scope, query) : this.page(scope, query)) };
  }

  /**
   * A page of a few among millions: they are found first and then put in order. In one step the database would look for
   * them from the newest visit on, 330,000 visits for a hundred of one person.
   */
  async #few(scope: Scope, { page, limit, ...filter }: FaceLogs): Promise<ListedSighting[]> {
    const found = this.#matching(scope, filter).select(['sighting.id', 'sighting.started_at']);
    const { rows } = await sql<{ id: string }>`
      with found as materialized (${found})
      select id from found order by started_at desc, id desc
      limit ${limit} offset ${(page - 1) * limit}`.execute(this.#db.read());
    const read = await this.#visible(scope)
      .select(listed(scope))
      .where('sighting.id', '=', sql<string>`any(${rows.map(({ id }) => id)}::uuid[])`)
      .orderBy('sighting.started_at', 'desc')
      .orderBy('sighting.id', 'desc')
      .execute();
    return this.#listed(scope, read);
  }

  /** A page of visits, the newest first. Late pages of many visits begin at the quarter of an hour in which the page does. */
  async page(scope: Scope, query: FaceLogs): Promise<ListedSighting[]> {
    const offset = (query.page - 1) * query.limit;
    const isLate = offset >= lateOffset && isKept(query);
    const start = isLate
      ? await this.#paging.startOf(scope, query, offset)
      : { until: query.until, offset };
    const read = await this.#matching(scope, { ...query, until: start.until })
      .select(listed(scope))
      .orderBy('sighting.started_at', 'desc')
      .orderBy('sighting.id', 'desc')
      .limit(query.limit)
      .offset(start.offset)
      .execute();
    return this.#listed(scope, read);
  }

  /** Ids of a page of visits. */
  async ids(scope: Scope, query: FaceLogs): Promise<string[]> {
    const rows = await this.#matching(scope, query)
      .select('sighting.id')
      .orderBy('sighting.started_at', 'desc')
      .orderBy('sighting.id', 'desc')
      .limit(query.limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Those of these visits that the scope may see. */
  async visibleAmong(
    scope: Scope,
    ids: readonly string[],
  ): Promise<Pick<SightingRow, 'id' | 'started_at'>[]> {
    return this.#visible(scope)
      .select(['sighting.id', 'sighting.started_at'])
      .where('sighting.id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute();
  }

  /** How many there are, up to a bound where no kept count says it. */
  async count(scope: Scope, query: Filter): Promise<Omit<ListedVisits, 'rows'>> {
    if (isKept(query)) return { count: await this.#paging.count(scope, query), isMore: false };
    const some = this.#matching(scope, query)
      .select('sighting.id')
      .limit(maxCounted + 1);
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from (${some}) as found`.execute(this.#db.read());
    const count = rows[0]!.count;
    return { count: Math.min(count, maxCounted), isMore: count > maxCounted };
  }

  async find(scope: Scope, id: string): Promise<ListedSighting | null> {
    const read = await this.#visible(scope)
      .select(listed(scope))
      .where('sighting.id', '=', id)
      .execute();
    return (await this.#listed(scope, read))[0] ?? null;
  }

  /** Leaves out what a mask hides from this reader. */
  async #listed(scope: Scope, rows: readonly ReadSighting[]): Promise<ListedSighting[]> {
    const isHidden = await this.#hidden.from(scope, rows);
    return rows.map(({ has_picture, place, ...row }): ListedSighting => {
      if (!has_picture) return { ...row, picture: 'none' };
      const isShown = !isHidden({ ...row, place });
      return isShown
        ? { ...row, picture: 'shown' }
        : { ...row, attributes: null, picture: 'hidden' };
    });
  }

  #visible(scope: Scope) {
    const all = this.#db
      .read<Tables>()
      .selectFrom('sighting')
      .innerJoin('cameras_v_camera as camera', 'camera.id', 'sighting.camera_id')
      .innerJoin('faces_v_identity as identity', 'identity.id', 'sighting.identity_id')
      .where('sighting.deleted_at', 'is', null);
    if (scope.seesAll) return all;
    const columns = { owner: 'camera.created_by', id: 'camera.id' };
    return all.where(ownOrListed(scope.userId, granted(scope, 'live'), columns));
  }

  #matching(
    scope: Scope,
    { from, until, camera_id, person_name, is_recognized, person_id, ...who }: Filter,
  ) {
    const { unknown, hidden, kind } = who;
    let rows = this.#visible(scope);
    if (from) rows = rows.where('sighting.started_at', '>=', from);
    if (until) rows = rows.where('sighting.started_at', '<', until);
    if (camera_id) rows = rows.where('sighting.camera_id', '=', camera_id);
    if (person_id) {
      rows = rows.where('identity.person_id', '=', person_id).where(mayName(scope), '=', true);
    }
    if (hidden) rows = rows.where(mayName(scope), '=', false);
    if (unknown) rows = rows.where(isOfUnknown(scope, unknown));
    if (is_recognized !== undefined) rows = rows.where('identity.is_known', '=', is_recognized);
    if (kind) rows = rows.where(isOfKind(scope, kind));
    // As counts take these two names, too.
    if (person_name === erasedName) rows = rows.where(isOfKind(scope, 'erased'));
    else if (person_name === unknownName) rows = rows.where(isOfKind(scope, 'unknown'));
    else if (person_name) {
      // Filters use only names that this reader may read: else a filter would tell what the list hides.
      const isMeant = hasName(person_name);
      rows = rows.where(mayName(scope), '=', true).where(isMeant).where(isOneOf(isMeant));
    }
    return rows;
  }
}

/**
 * Who knows the id of an erased one must not find their visits by it; nor, where an unknown person was identified since,
 * whoever may not read the name: visits of people they may not know would be of the same one.
 */
const isOfUnknown = (scope: Scope, id: string) => sql<boolean>`(
  identity.stranger_id = ${id} and ${isTheirs(scope)})`;

/** Where `identity` is a row of faces_v_identity: somebody recognized who was erased since. */
export const isErased = sql<boolean>`(identity.is_known and identity.person_id is null)`;

/**
 * Every visit is of one kind. Whoever may not name everybody at a camera does not learn which of the people they may not
 * name were erased: these are known people to them.
 */
function isOfKind(scope: Scope, kind: VisitKind): RawBuilder<boolean> {
  if (kind === 'unknown') return sql<boolean>`not identity.is_known`;
  const erased = sql<boolean>`(${isErased} and ${mayName(scope)})`;
  return kind === 'erased' ? erased : sql<boolean>`(identity.is_known and not ${erased})`;
}
