/** What a `Scope` may read of the face logs: which visits, and who they were. */
import { sql } from 'kysely';
import type { FaceLogQuery } from '@nazar/contract/sightings.ts';
import type { Database } from '#db/database.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { pageOf, type Paged } from '#db/page.ts';
import { granted, namedCategories, type Scope } from '#http/scope.ts';
import type { SightingRow } from './store.ts';

/** A visit as it is listed; `may_name` says whether this reader may read who it was. */
export interface ListedSighting {
  readonly id: string;
  readonly camera_id: string;
  readonly camera_name: string;
  readonly location: string;
  readonly person_id: string | null;
  readonly person_name: string | null;
  /** The account that added the person. */
  readonly person_added_by: string | null;
  readonly may_name: boolean;
  readonly started_at: Date;
  readonly ended_at: Date;
  readonly confidence: number;
  readonly quality: number;
  /** False once it is gone by age, or the identity's key was destroyed. */
  readonly has_picture: boolean;
  /** The visit does not show the person it was taken for. */
  readonly is_corrected: boolean;
}

interface Tables {
  sighting: SightingRow;
  cameras_v_camera: { id: string; name: string; location: string; created_by: string | null };
  faces_v_identity: {
    id: string;
    stranger_id: string;
    person_id: string | null;
    first_name: string | null;
    last_name: string | null;
    created_by: string | null;
    category_id: string | null;
    is_readable: boolean;
  };
}

const fullName = sql<string>`trim(identity.first_name || ' ' || identity.last_name)`;

const listedColumns = [
  'sighting.id',
  'sighting.camera_id',
  'camera.name as camera_name',
  'camera.location',
  'identity.person_id',
  fullName.as('person_name'),
  'identity.created_by as person_added_by',
  'sighting.started_at',
  'sighting.ended_at',
  'sighting.confidence',
  'sighting.quality',
  sql<boolean>`identity.is_readable and exists (
    select from sighting_picture where sighting_id = sighting.id)`.as('has_picture'),
  sql<boolean>`exists (select from faces_v_negative where sighting_id = sighting.id)`.as(
    'is_corrected',
  ),
] as const;

/** SQL of the face logs; it writes nothing. */
export class FaceLogStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(
    scope: Scope,
    query: Omit<FaceLogQuery, 'start_date' | 'end_date'> & {
      from: Date | null;
      until: Date | null;
      person_id?: string;
    },
  ): Promise<Paged<ListedSighting>> {
    const rows = this.#matching(scope, query)
      .select(listedColumns)
      .select(mayName(scope).as('may_name'))
      .orderBy('sighting.started_at', 'desc')
      .orderBy('sighting.id', 'desc');
    return pageOf(rows, { page: query.page, pageSize: query.limit });
  }

  async find(scope: Scope, id: string): Promise<ListedSighting | null> {
    const row = await this.#visible(scope)
      .select(listedColumns)
      .select(mayName(scope).as('may_name'))
      .where('sighting.id', '=', id)
      .executeTakeFirst();
    return row ?? null;
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
    {
      from,
      until,
      camera_id,
      person_name,
      is_recognized,
      person_id,
      unknown,
    }: Pick<FaceLogQuery, 'camera_id' | 'person_name' | 'is_recognized' | 'unknown'> & {
      from: Date | null;
      until: Date | null;
      person_id?: string;
    },
  ) {
    let rows = this.#visible(scope);
    if (from) rows = rows.where('sighting.started_at', '>=', from);
    if (until) rows = rows.where('sighting.started_at', '<', until);
    if (camera_id) rows = rows.where('sighting.camera_id', '=', camera_id);
    if (person_id) rows = rows.where('identity.person_id', '=', person_id);
    if (unknown) rows = rows.where('identity.stranger_id', '=', unknown);
    if (is_recognized !== undefined) {
      rows = rows.where('identity.person_id', is_recognized ? 'is not' : 'is', null);
    }
    if (person_name) {
      // Filters use only names that this reader may read: else a filter would tell what the list hides.
      rows = rows
        .where(mayName(scope), '=', true)
        .where(sql`lower(${fullName})`, '=', person_name.toLowerCase());
    }
    return rows;
  }
}

/**
 * C-1009: only the account that enrolled a person may read their name, unless a grant of that camera lets others read
 * all names or those of a category. The same rule as `mayReadName`. Used where `identity` is a row of
 * faces_v_identity and `camera` one of cameras_v_camera.
 */
export function mayName(scope: Scope) {
  if (scope.seesAll) return sql<boolean>`true`;
  const columns = { owner: 'identity.created_by', id: 'camera.id' };
  const mine = ownOrListed(scope.userId, granted(scope, 'people'), columns);
  const { cameraIds, categoryIds } = namedCategories(scope);
  if (cameraIds.length === 0) return mine;
  return sql<boolean>`(${mine} or coalesce((camera.id, identity.category_id) in (
    select * from unnest(${cameraIds}::uuid[], ${categoryIds}::uuid[])), false))`;
}
