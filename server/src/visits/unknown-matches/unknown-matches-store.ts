import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import type { PackColumns } from '#db/pack-columns.ts';
import { noGrants, type Scope } from '#http/scope.ts';
import type { HiddenPictures, PlacedPicture } from '../hidden-pictures.ts';
import { longestVisit } from '../store.ts';
import { atVisibleCameras } from '../visible-cameras-store.ts';

/** The vectors of a visit that belongs to no particular person. */
export interface SingleVisit extends PackColumns {
  readonly visit_id: string;
  readonly identity_id: string;
}

/** An unknown person, as far as a reader may see them. */
export interface SeenUnknown {
  readonly id: string;
  readonly number: number | null;
  /** All identities of merged ones. */
  readonly identity_ids: readonly string[];
  readonly visits: number;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly cameras: readonly string[];
  /** Visits with the best pictures of those that are shown to the reader. */
  readonly pictures: readonly string[];
  /** Others are hidden by masks. */
  readonly pictures_hidden: boolean;
  /** The quality of the best visit. */
  readonly quality: number;
  /** Only cameras that the reader added saw them. */
  readonly is_own: boolean;
  /** In view of one camera with the person at once, or said by a user not to be them. */
  readonly is_ruled_out: boolean;
}

type ReadUnknown = Omit<SeenUnknown, 'pictures' | 'pictures_hidden'> & {
  readonly pictures: readonly (PlacedPicture & { readonly id: string })[];
};

/** Pictures of each that are shown, and that are read, because masks may hide some of them. */
const maxPictures = 6;
const maxRead = 50;

/** SQL of unknown people and visits that may have the face of a known person; it writes nothing. */
export class UnknownMatchesStore {
  readonly #db: Database;
  readonly #hidden: HiddenPictures;

  constructor(db: Database, hidden: HiddenPictures) {
    this.#db = db;
    this.#hidden = hidden;
  }

  /** The next visits after that one, in the order of their ids. */
  async singleVisits(after: string, limit: number): Promise<SingleVisit[]> {
    const { rows } = await sql<SingleVisit>`
      select visit_id, identity_id, pack_id, pack_version, template as vector, other_pack, other_vector
      from visit_picture picture
      join faces_v_identity identity on identity.id = picture.identity_id
      where visit_id > ${after}::uuid and identity.number is null and identity.person_id is null
        and identity.is_readable
      order by visit_id limit ${limit}`.execute(this.#db.read());
    return rows;
  }

  /** How many of these unknown people this reader may see. */
  async countVisible(scope: Scope, ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const { rows } = await sql<{ count: number }>`
      select count(distinct identity.stranger_id)::integer as count
      from faces_v_identity identity
      join visit on visit.identity_id = identity.id
      join cameras_v_camera camera on camera.id = visit.camera_id
      where identity.stranger_id = any(${ids}::uuid[]) and identity.person_id is null and identity.is_readable
        and ${atVisibleCameras(scope, null)}`.execute(this.#db.read());
    return rows[0]!.count;
  }

  /** Returns the unknown people among `ids` whom this reader may see. */
  async seen(scope: Scope, personId: string, ids: readonly string[]): Promise<SeenUnknown[]> {
    const isVisible = atVisibleCameras(scope, null);
    const isOwn = atVisibleCameras({ ...scope, grants: noGrants }, null);
    const { rows } = await sql<ReadUnknown>`
      with found as materialized (
        select identity.stranger_id, identity.id as identity_id, visit.id, visit.started_at, visit.ended_at,
               visit.camera_id, camera.name, visit.quality, visit.deleted_at,
               ${isVisible} as is_visible, ${isOwn} as is_own
        from faces_v_identity identity
        join visit on visit.identity_id = identity.id
        join cameras_v_camera camera on camera.id = visit.camera_id
        where identity.stranger_id = any(${ids}::uuid[]) and identity.person_id is null
          and identity.is_readable
      )
      select visit.stranger_id as id,
             (select number from faces_v_identity stranger where stranger.id = visit.stranger_id) as number,
             array_agg(distinct identity_id::text order by identity_id::text) as identity_ids,
             count(*) filter (where is_visible and deleted_at is null)::integer as visits,
             min(started_at) filter (where is_visible) as first_at,
             max(ended_at) filter (where is_visible) as last_at,
             array_agg(distinct name order by name) filter (where is_visible) as cameras,
             ${picturesOf(sql`visit.stranger_id`)} as pictures,
             max(quality) filter (where is_visible) as quality,
             bool_and(is_own) as is_own,
             bool_or(${isRuledOut(personId)}) as is_ruled_out
      from found as visit group by visit.stranger_id having bool_or(is_visible)`.execute(
      this.#db.read(),
    );
    const isHidden = await this.#hidden.from(
      scope,
      rows.flatMap(({ pictures }) => pictures),
    );
    return rows.map(({ pictures, ...row }) => {
      const shown = pictures.filter((picture) => !isHidden(picture));
      return {
        ...row,
        pictures: shown.slice(0, maxPictures).map(({ id }) => id),
        pictures_hidden: shown.length < pictures.length,
      };
    });
  }
}

/** Where `found` holds all visits. */
const picturesOf = (strangerId: RawBuilder<unknown>) => sql`(
  select coalesce(json_agg(json_build_object('id', best.id, 'camera_id', best.camera_id, 'place', best.place,
                                             'started_at', best.started_at)
                           order by best.quality desc, best.id desc), '[]')
  from (
    select other.id, other.quality, other.camera_id, other.started_at, picture.place from found other
    join visit_picture picture on picture.visit_id = other.id
    where other.stranger_id = ${strangerId} and other.is_visible and other.deleted_at is null
    order by other.quality desc, other.id desc limit ${maxRead}
  ) as best)`;

/** Where `visit` is a row of them. */
const isRuledOut = (personId: string) => sql`
  exists (select from faces_v_negative negative
          where negative.visit_id = visit.id and negative.person_id = ${personId})
  or exists (
    select from visit other
    join faces_v_identity known on known.id = other.identity_id
    where other.camera_id = visit.camera_id and known.person_id = ${personId}
      and other.started_at <= visit.ended_at and other.ended_at >= visit.started_at
      and other.started_at >= visit.started_at - ${longestVisit})`;
