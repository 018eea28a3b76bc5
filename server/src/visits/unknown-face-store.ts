import { sql, type RawBuilder } from 'kysely';
import type {
  CorrectionKind,
  UnknownFaceQuery,
  UnknownStatus,
} from '@nazar/contract/unknown-faces.ts';
import { maxCounted, type BoundedPage, type Counted } from '#db/bounded-page.ts';
import type { Database, Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { PicturePlace } from '#media/mask/picture-place.ts';
import type { HiddenPictures, PictureState, PlacedPicture } from './hidden-pictures.ts';
import type { VisitRow } from './store.ts';
import {
  atCamera,
  isKeptInAll,
  isStranger,
  isTheirs,
  seenStrangers,
  StrangerCountStore,
  visibleCamera,
  type StrangerFilter,
} from './stranger-count-store.ts';

/** A stranger with the newest visit the scope may see. */
export interface ListedStranger {
  readonly id: string;
  readonly number: number;
  readonly status: UnknownStatus;
  readonly person_id: string | null;
  readonly person_added_by: string | null;
  /** Every reader who is shown the stranger may read it: strangers whose name they may not read are left out. */
  readonly person_name: string | null;
  readonly visits: number;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly visit_id: string;
  readonly camera_id: string;
  readonly camera_name: string;
  readonly quality: number;
  readonly picture: PictureState;
  /** The correction that would be taken back next. */
  readonly correction_id: string | null;
  readonly correction_kind: CorrectionKind | null;
  readonly corrected_at: Date | null;
}

/** A stranger as they are read, for users who may see behind masks. */
type ReadStranger = Omit<ListedStranger, 'picture'> & {
  readonly has_picture: boolean;
  readonly place: PicturePlace | null;
  readonly started_at: Date;
};

/** Each with an index that walks it; who is equal is in the order of their ids, in the same direction. */
const orders = {
  timestamp: sql`last_at, id`,
  '-timestamp': sql`last_at desc, id desc`,
  number: sql`number`,
  '-number': sql`number desc`,
  count: sql`visits, id`,
  '-count': sql`visits desc, id desc`,
} as const;

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** The visit whose picture is shown; none where all are hidden, or none is kept. */
export type BestPicture =
  | { readonly picture: 'shown'; readonly id: string }
  | { readonly picture: 'hidden' | 'none'; readonly id: null };

/** Pictures that are read at once to find the best one that is shown. */
const triedAtOnce = 50;

/** How many visits back the newest strangers are searched for: tens of pages, read in some 20 ms. */
const usuallyWalked = 4_000;

/**
 * Reads strangers by what cameras saw of them, which is kept beside the visits. Of a reader's own cameras, or of one,
 * that is added up; who came last is found by the newest visits first, and only these are added up.
 */
export class UnknownFaceStore {
  readonly #db: Database;
  readonly #counting: StrangerCountStore;
  readonly #walked: number;
  readonly #hidden: HiddenPictures;

  /** `walked`: visits that are read for a page. `counted`: strangers that are counted. */
  constructor(
    db: Database,
    hidden: HiddenPictures,
    { walked = usuallyWalked, counted = maxCounted } = {},
  ) {
    this.#db = db;
    this.#hidden = hidden;
    this.#walked = walked;
    this.#counting = new StrangerCountStore(db, { counted });
  }

  /** `pageOf` does not fit: the SQL cuts the page first and joins only its strangers with their newest visit. */
  async list(
    scope: Scope,
    { page, page_size, ordering, ...filter }: UnknownFaceQuery,
  ): Promise<BoundedPage<ListedStranger>> {
    const cut = { limit: page_size, offset: (page - 1) * page_size };
    const isWalked = ordering === '-timestamp' && !isKeptInAll(scope, filter);
    const newest = isWalked ? await this.#newest(scope, filter, cut) : null;
    const order = orders[ordering];
    const [counted, rows] = await Promise.all([
      this.#counting.count(scope, filter),
      newest
        ? this.#rows(scope, { ...filter, ids: newest }, { order, limit: page_size, offset: 0 })
        : this.#rows(scope, filter, { order, ...cut }),
    ]);
    return { ...counted, rows };
  }

  /** Null outside the scope. */
  async find(scope: Scope, id: string): Promise<ListedStranger | null> {
    const only = { order: sql`id`, limit: 1, offset: 0 };
    const [row] = await this.#rows(scope, { ids: [id] }, only);
    return row ?? null;
  }

  count(scope: Scope, filter: StrangerFilter): Promise<Counted> {
    return this.#counting.count(scope, filter);
  }

  async isSeenElsewhere(scope: Scope, identityId: string): Promise<boolean> {
    if (scope.seesAll) return false;
    const { rows } = await sql<{ elsewhere: boolean }>`
      select exists (
        select from faces_v_identity asked
        join faces_v_identity identity on identity.stranger_id = asked.stranger_id
        join visit_day counted on counted.identity_id = identity.id
        join cameras_v_camera camera on camera.id = counted.camera_id
        where asked.id = ${identityId} and not ${visibleCamera(scope)}
      ) as elsewhere`.execute(this.#db.read());
    return rows[0]!.elsewhere;
  }

  /** The visit with the best stored picture that is shown to this reader. */
  async bestPicture(scope: Scope, strangerId: string): Promise<BestPicture> {
    let state: BestPicture['picture'] = 'none';
    for (let offset = 0; ; offset += triedAtOnce) {
      const { rows } = await sql<PlacedPicture & { readonly id: string }>`
        select visit.id, visit.camera_id, visit.started_at, picture.place
        from faces_v_identity identity
        join visit on visit.identity_id = identity.id and visit.deleted_at is null
        join visit_picture picture on picture.visit_id = visit.id
        where identity.stranger_id = ${strangerId}
        order by visit.quality desc, visit.id desc
        limit ${triedAtOnce} offset ${offset}`.execute(this.#db.read());
      const isHidden = await this.#hidden.from(scope, rows);
      const best = rows.find((row) => !isHidden(row));
      if (best) return { picture: 'shown', id: best.id };
      if (rows.length > 0) state = 'hidden';
      if (rows.length < triedAtOnce) return { picture: state, id: null };
    }
  }

  /** Whether the visit is this stranger's, and has a picture. */
  async hasPicture(strangerId: string, visitId: string): Promise<boolean> {
    const { rows } = await sql<{ has: boolean }>`
      select exists (
        select from visit_picture picture
        join visit on visit.id = picture.visit_id and visit.deleted_at is null
        join faces_v_identity identity on identity.id = visit.identity_id
        where picture.visit_id = ${visitId} and identity.stranger_id = ${strangerId}
      ) as has`.execute(this.#db.read());
    return rows[0]!.has;
  }

  /** Returns those of these visits that belong to this stranger; locks them. */
  async visitsOf(tx: Tx, strangerId: string, ids: readonly string[]): Promise<VisitRow[]> {
    const { rows } = await sql<VisitRow>`
      select visit.*
      from visit join faces_v_identity identity on identity.id = visit.identity_id
      where visit.id = any(${ids}::uuid[]) and identity.stranger_id = ${strangerId}
      order by visit.id for update of visit`.execute(tx.as<unknown>());
    return rows;
  }

  /** Whether the stranger has other visits than these. */
  async hasOthers(tx: Tx, strangerId: string, ids: readonly string[]): Promise<boolean> {
    const { rows } = await sql<{ others: boolean }>`
      select exists (
        select from faces_v_identity identity
        join visit on visit.identity_id = identity.id
        where identity.stranger_id = ${strangerId} and visit.id <> all(${ids}::uuid[])
      ) as others`.execute(tx.as<unknown>());
    return rows[0]!.others;
  }

  /** Visits of this identity with a picture, the best first. */
  async bestOf(
    tx: Tx,
    identityId: string,
    limit: number,
  ): Promise<Pick<VisitRow, 'id' | 'started_at'>[]> {
    const { rows } = await sql<Pick<VisitRow, 'id' | 'started_at'>>`
      select visit.id, visit.started_at
      from visit join visit_picture picture on picture.visit_id = visit.id
      where visit.identity_id = ${identityId}
      order by visit.quality desc, visit.id desc limit ${limit}`.execute(tx.as<unknown>());
    return rows;
  }

  /** A page of those who came last; null when the newest visits are not enough to say. */
  async #newest(scope: Scope, filter: StrangerFilter, page: Page): Promise<string[] | null> {
    const { rows } = await sql<{ id: string; is_certain: boolean }>`
      with newest as materialized (
        select identity_id, camera_id, started_at from visit
        where deleted_at is null order by started_at desc, id desc limit ${this.#walked}
      ), strangers as (
        select stranger.id, max(newest.started_at) as last_at
        from newest
        join faces_v_identity identity on identity.id = newest.identity_id
        join faces_v_identity stranger on stranger.id = identity.stranger_id
        join cameras_v_camera camera on camera.id = newest.camera_id
        where ${isStranger(filter)} and ${atCamera(scope, filter)} and ${isTheirs(scope)}
        group by stranger.id
      )
      -- At the very end of the walk there may be others who came at the same moment.
      select id, last_at > (select min(started_at) from newest) as is_certain
      from strangers order by last_at desc, id desc limit ${page.limit} offset ${page.offset}`.execute(
      this.#db.read(),
    );
    const isWhole = rows.length === page.limit && rows.every(({ is_certain }) => is_certain);
    return isWhole ? rows.map(({ id }) => id) : null;
  }

  async #rows(
    scope: Scope,
    filter: StrangerFilter,
    { order, limit, offset }: Page & { readonly order: RawBuilder<unknown> },
  ): Promise<ListedStranger[]> {
    const { rows } = await sql<ReadStranger>`
      select seen.*, known.created_by as person_added_by,
             trim(known.first_name || ' ' || known.last_name) as person_name, newest.*, corrected.*
      from (${seenStrangers(scope, filter)} order by ${order} limit ${limit} offset ${offset}) as seen
      join faces_v_identity known on known.id = seen.id
      cross join lateral (
        select visit.id as visit_id, visit.started_at, camera.id as camera_id, camera.name as camera_name,
               visit.quality, picture.visit_id is not null as has_picture, picture.place
        from faces_v_identity identity
        join visit on visit.identity_id = identity.id and visit.deleted_at is null
        join cameras_v_camera camera on camera.id = visit.camera_id
        left join visit_picture picture on picture.visit_id = visit.id
        where identity.stranger_id = seen.id and visit.started_at = seen.last_at
          and ${atCamera(scope, filter)} and ${isTheirs(scope)}
        order by visit.id desc limit 1
      ) as newest
      left join lateral (
        select id as correction_id, kind as correction_kind, created_at as corrected_at
        from faces_v_correction correction where correction.stranger_id = seen.id
        order by correction.id desc limit 1
      ) as corrected on true
      order by ${order}`.execute(this.#db.read());
    const isHidden = await this.#hidden.from(scope, rows);
    return rows.map(({ has_picture, place, started_at, ...row }) => {
      const isShown = has_picture && !isHidden({ ...row, place, started_at });
      return { ...row, picture: isShown ? 'shown' : has_picture ? 'hidden' : 'none' };
    });
  }
}
