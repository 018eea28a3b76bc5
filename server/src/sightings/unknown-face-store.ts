import { sql } from 'kysely';
import type {
  CorrectionKind,
  UnknownFaceQuery,
  UnknownStatus,
} from '@nazar/contract/unknown-faces.ts';
import type { Database, Tx } from '#db/database.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import type { Paged } from '#db/page.ts';
import { granted, type Scope } from '#http/scope.ts';
import type { SightingRow } from './store.ts';

/** A stranger with the newest visit the scope may see. */
export interface ListedStranger {
  readonly id: string;
  readonly number: number;
  readonly status: UnknownStatus;
  readonly person_id: string | null;
  readonly person_added_by: string | null;
  readonly visits: number;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly sighting_id: string;
  readonly camera_id: string;
  readonly camera_name: string;
  readonly quality: number;
  readonly has_picture: boolean;
  /** The correction that would be taken back next. */
  readonly correction_id: string | null;
  readonly correction_kind: CorrectionKind | null;
  readonly corrected_at: Date | null;
}

const orders = {
  timestamp: sql`last_at`,
  '-timestamp': sql`last_at desc`,
  number: sql`number`,
  '-number': sql`number desc`,
  count: sql`visits`,
  '-count': sql`visits desc`,
} as const;

type Filter = Partial<Pick<UnknownFaceQuery, 'status' | 'camera'>> & { readonly id?: string };

/** Reads strangers by what cameras saw of them: counted by day, so that a list needs no walk through the log. */
export class UnknownFaceStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** `pageOf` does not fit: the SQL cuts the page first and joins only its strangers with their newest sighting. */
  async list(
    scope: Scope,
    { page, page_size, ordering, ...filter }: UnknownFaceQuery,
  ): Promise<Paged<ListedStranger>> {
    const { rows: counts } = await sql<{ count: number }>`
      select count(*) as count from (${seen(scope, filter)}) as seen`.execute(this.#db.read());
    const rows = await this.#rows(scope, filter, {
      order: sql`${orders[ordering]}, id`,
      limit: page_size,
      offset: (page - 1) * page_size,
    });
    return { count: counts[0]!.count, rows };
  }

  /** Null outside the scope. */
  async find(scope: Scope, id: string): Promise<ListedStranger | null> {
    const [row] = await this.#rows(scope, { id }, { order: sql`id`, limit: 1, offset: 0 });
    return row ?? null;
  }

  async isSeenElsewhere(scope: Scope, identityId: string): Promise<boolean> {
    if (scope.seesAll) return false;
    const { rows } = await sql<{ elsewhere: boolean }>`
      select exists (
        select from faces_v_identity asked
        join faces_v_identity identity on identity.stranger_id = asked.stranger_id
        join sighting_day counted on counted.identity_id = identity.id
        join cameras_v_camera camera on camera.id = counted.camera_id
        where asked.id = ${identityId} and not ${visibleCamera(scope)}
      ) as elsewhere`.execute(this.#db.read());
    return rows[0]!.elsewhere;
  }

  /** The visit with the best stored picture; null when there is none. */
  async bestPicture(strangerId: string): Promise<string | null> {
    const { rows } = await sql<{ id: string }>`
      select sighting.id
      from faces_v_identity identity
      join sighting on sighting.identity_id = identity.id and sighting.deleted_at is null
      join sighting_picture picture on picture.sighting_id = sighting.id
      where identity.stranger_id = ${strangerId}
      order by sighting.quality desc, sighting.id desc limit 1`.execute(this.#db.read());
    return rows[0]?.id ?? null;
  }

  /** Returns those of these visits that belong to this stranger; locks them. */
  async visitsOf(tx: Tx, strangerId: string, ids: readonly string[]): Promise<SightingRow[]> {
    const { rows } = await sql<SightingRow>`
      select sighting.*
      from sighting join faces_v_identity identity on identity.id = sighting.identity_id
      where sighting.id = any(${ids}::uuid[]) and identity.stranger_id = ${strangerId}
      order by sighting.id for update of sighting`.execute(tx.as<unknown>());
    return rows;
  }

  /** Whether the stranger has other visits than these. */
  async hasOthers(tx: Tx, strangerId: string, ids: readonly string[]): Promise<boolean> {
    const { rows } = await sql<{ others: boolean }>`
      select exists (
        select from faces_v_identity identity
        join sighting on sighting.identity_id = identity.id
        where identity.stranger_id = ${strangerId} and sighting.id <> all(${ids}::uuid[])
      ) as others`.execute(tx.as<unknown>());
    return rows[0]!.others;
  }

  /** Visits of this identity with a picture, the best first. */
  async bestOf(
    tx: Tx,
    identityId: string,
    limit: number,
  ): Promise<Pick<SightingRow, 'id' | 'started_at'>[]> {
    const { rows } = await sql<Pick<SightingRow, 'id' | 'started_at'>>`
      select sighting.id, sighting.started_at
      from sighting join sighting_picture picture on picture.sighting_id = sighting.id
      where sighting.identity_id = ${identityId}
      order by sighting.quality desc, sighting.id desc limit ${limit}`.execute(tx.as<unknown>());
    return rows;
  }

  /** Whether this stranger and that person, or that other stranger, were in view of one camera at once. */
  async wereTogether(
    strangerId: string,
    other: { readonly personId: string } | { readonly strangerId: string },
  ): Promise<boolean> {
    const isOther =
      'personId' in other
        ? sql`known.person_id = ${other.personId}`
        : sql`known.stranger_id = ${other.strangerId}`;
    const { rows } = await sql<{ together: boolean }>`
      select exists (
        select from faces_v_identity stranger
        join sighting one on one.identity_id = stranger.id
        join sighting other on other.camera_id = one.camera_id
          and other.started_at <= one.ended_at and other.ended_at >= one.started_at
          and other.started_at > one.started_at - interval '1 day'
        join faces_v_identity known on known.id = other.identity_id
        where stranger.stranger_id = ${strangerId} and ${isOther}
      ) as together`.execute(this.#db.read());
    return rows[0]!.together;
  }

  async #rows(
    scope: Scope,
    filter: Filter,
    { order, limit, offset }: { order: ReturnType<typeof sql>; limit: number; offset: number },
  ): Promise<ListedStranger[]> {
    const atCamera = filter.camera ? sql`and camera.id = ${filter.camera}` : sql``;
    const { rows } = await sql<ListedStranger>`
      select seen.*, known.created_by as person_added_by, newest.*, corrected.*
      from (${seen(scope, filter)} order by ${order} limit ${limit} offset ${offset}) as seen
      join faces_v_identity known on known.id = seen.id
      cross join lateral (
        select sighting.id as sighting_id, camera.id as camera_id, camera.name as camera_name,
               sighting.quality, picture.sighting_id is not null as has_picture
        from faces_v_identity identity
        join sighting on sighting.identity_id = identity.id and sighting.deleted_at is null
        join cameras_v_camera camera on camera.id = sighting.camera_id
        left join sighting_picture picture on picture.sighting_id = sighting.id
        where identity.stranger_id = seen.id and ${visibleCamera(scope)} ${atCamera}
        order by sighting.started_at desc, sighting.id desc limit 1
      ) as newest
      left join lateral (
        select id as correction_id, kind as correction_kind, created_at as corrected_at
        from faces_v_correction correction where correction.stranger_id = seen.id
        order by correction.id desc limit 1
      ) as corrected on true
      order by ${order}`.execute(this.#db.read());
    return rows;
  }
}

function seen(scope: Scope, { status, camera, id }: Filter) {
  const conditions = [
    visibleCamera(scope),
    status ? sql`stranger.status = ${status}` : null,
    camera ? sql`stranger.camera_id = ${camera}` : null,
    id ? sql`stranger.id = ${id}` : null,
  ].filter((condition) => condition !== null);
  return sql`
    select stranger.id, stranger.number, stranger.status, stranger.person_id,
           sum(stranger.visits) as visits, min(stranger.first_at) as first_at,
           max(stranger.last_at) as last_at
    from sightings_v_stranger stranger
    join cameras_v_camera camera on camera.id = stranger.camera_id
    where ${sql.join(conditions, sql` and `)}
    group by stranger.id, stranger.number, stranger.status, stranger.person_id`;
}

function visibleCamera(scope: Scope) {
  if (scope.seesAll) return sql<boolean>`true`;
  const columns = { owner: 'camera.created_by', id: 'camera.id' };
  return ownOrListed(scope.userId, granted(scope, 'live'), columns);
}
