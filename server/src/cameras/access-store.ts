import { sql, type RawBuilder } from 'kysely';
import type { Role } from '@nazar/contract/accounts.ts';
import type { GrantQuery } from '@nazar/contract/access.ts';
import type { Capability } from '@nazar/contract/capabilities.ts';
import type { Database, Tx } from '#db/database.ts';
import { folded } from '#db/like.ts';

/** The two ends of a grant: one of each pair is null. */
export interface GrantPair {
  readonly user_id: string | null;
  readonly user_group_id: string | null;
  readonly camera_id: string | null;
  readonly camera_group_id: string | null;
}

export interface GrantRow extends GrantPair {
  readonly id: string;
  readonly capabilities: Capability[];
  readonly granted_by: string | null;
  readonly granted_at: Date;
}

/** A grant as it is listed: with the names of both ends. */
export interface ListedGrant extends Omit<GrantRow, 'granted_by'> {
  readonly to_name: string;
  readonly of_name: string;
  readonly categories: string[];
}

/** One grant with the cameras that it reaches. */
export interface HeldRow {
  readonly camera_ids: readonly string[];
  readonly capabilities: readonly Capability[];
  readonly categories: readonly string[];
}

/** One grant with the user that it reaches, for one camera or a group of them. */
interface ReachingRow extends Pick<GrantRow, 'camera_id' | 'camera_group_id' | 'capabilities'> {
  readonly user_id: string;
  readonly categories: string[];
}

/** A user who may see a camera, once for each grant that reaches them. */
export interface ViewerRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly is_staff: boolean;
  readonly made: boolean;
  /** The group it was granted to; null if it was granted to the user alone, or there is no grant. */
  readonly via: string | null;
  readonly capabilities: Capability[];
  readonly categories: string[];
}

interface Tables {
  camera_grant: GrantRow;
  camera_grant_category: { grant_id: string; category_id: string };
  camera_group_member: { group_id: string; camera_id: string };
}

const categoriesOf = (id: string): RawBuilder<string[]> =>
  sql<string[]>`array(select category_id from camera_grant_category
                       where grant_id = ${sql.ref(id)} order by category_id)`;

/** SQL of grants; the only writer of their tables. */
export class AccessStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /**
   * Every grant that reaches each of these users: to the user or one of their groups, for a camera or for all cameras
   * of a group. Each request reads them, so that a withdrawn grant no longer applies to the next one. One statement
   * reads all at one moment; each group's cameras are listed once, however many users hold the group.
   */
  async heldBy(userIds: readonly string[]): Promise<Map<string, HeldRow[]>> {
    const { rows } = await sql<{ held: ReachingRow[]; listed: Record<string, string[]> }>`
      with held as (
        select user_id, id, camera_id, camera_group_id, capabilities
          from camera_grant where user_id = any(${[...userIds]}::uuid[])
        union all
        select member.user_id, held.id, held.camera_id, held.camera_group_id, held.capabilities
          from accounts_v_member member
          join camera_grant held on held.user_group_id = member.group_id
         where member.user_id = any(${[...userIds]}::uuid[])),
      listed as (
        select group_id, json_agg(camera_id) as camera_ids from camera_group_member
         where group_id in (select camera_group_id from held) group by group_id)
      select (select coalesce(json_agg(json_build_object(
                'user_id', user_id, 'camera_id', camera_id, 'camera_group_id', camera_group_id,
                'capabilities', capabilities, 'categories', ${categoriesOf('held.id')})), '[]')
                from held) as held,
             (select coalesce(json_object_agg(group_id, camera_ids), '{}') from listed) as listed
    `.execute(this.#db.read());
    const { held, listed } = rows[0]!;
    const byUser = Map.groupBy(held, ({ user_id }) => user_id);
    return new Map([...byUser].map(([userId, grants]) => [userId, grants.map(reached(listed))]));
  }

  /** The cameras that these users may see live by grants, without further capabilities, and those they made. */
  async camerasOf(userIds: readonly string[]): Promise<Map<string, Set<string>>> {
    const cameras = new Map<string, Set<string>>();
    if (userIds.length === 0) return cameras;
    const { rows } = await sql<{ user_id: string; camera_id: string }>`
      with held as (
        select user_id, camera_id, camera_group_id, capabilities
          from camera_grant where user_id = any(${[...userIds]}::uuid[])
        union all
        select member.user_id, held.camera_id, held.camera_group_id, held.capabilities
          from accounts_v_member member
          join camera_grant held on held.user_group_id = member.group_id
         where member.user_id = any(${[...userIds]}::uuid[]))
      select held.user_id, coalesce(held.camera_id, listed.camera_id) as camera_id
        from held left join camera_group_member listed on listed.group_id = held.camera_group_id
       where coalesce(held.camera_id, listed.camera_id) is not null
         and 'live' = any(held.capabilities)
      union
      select created_by, id from camera
       where created_by = any(${[...userIds]}::uuid[]) and deleted_at is null
    `.execute(this.#db.read());
    for (const { user_id, camera_id } of rows) {
      const theirs = cameras.get(user_id) ?? new Set();
      cameras.set(user_id, theirs.add(camera_id));
    }
    return cameras;
  }

  /** With `tx`, also a grant that `tx` has just written, which no other connection sees yet. */
  async list(query: GrantQuery & { readonly id?: string }, tx?: Tx): Promise<ListedGrant[]> {
    const { rows } = await sql<ListedGrant>`
      select held.id, held.user_id, held.user_group_id, held.camera_id, held.camera_group_id,
             held.capabilities, held.granted_at, ${categoriesOf('held.id')} as categories,
             coalesce(to_user.first_name || ' ' || to_user.last_name, to_group.name) as to_name,
             coalesce(camera.name, camera_group.name) as of_name
        from camera_grant held
        left join app_user to_user on to_user.id = held.user_id
        left join accounts_v_group to_group on to_group.id = held.user_group_id
        left join camera on camera.id = held.camera_id
        left join camera_group on camera_group.id = held.camera_group_id
       where ${fits('held.id', query.id)} and ${fits('held.user_id', query.user)}
         and ${fits('held.user_group_id', query.user_group)}
         and ${fits('held.camera_id', query.camera)}
         and ${fits('held.camera_group_id', query.camera_group)}
       order by ${folded(sql`coalesce(camera.name, camera_group.name)`)}, held.id
    `.execute(tx ? tx.as() : this.#db.read());
    return rows;
  }

  /** Returns the id of the grant for that pair: of the new row, or of the one it changed. */
  async put(tx: Tx, row: GrantRow, categories: readonly string[]): Promise<string> {
    const { capabilities, granted_by, granted_at } = row;
    const db = tx.as<Tables>();
    const { id } = await db
      .insertInto('camera_grant')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'user_group_id', 'camera_id', 'camera_group_id'])
          .doUpdateSet({ capabilities, granted_by, granted_at }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.deleteFrom('camera_grant_category').where('grant_id', '=', id).execute();
    if (categories.length > 0) {
      const rows = categories.map((category_id) => ({ grant_id: id, category_id }));
      await db.insertInto('camera_grant_category').values(rows).execute();
    }
    return id;
  }

  /** The removed grant; undefined if it does not exist. */
  remove(tx: Tx, id: string): Promise<GrantRow | undefined> {
    return tx
      .as<Tables>()
      .deleteFrom('camera_grant')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
  }

  /** Removes a deleted camera from its groups, and all grants to it. */
  async removeCamera(tx: Tx, cameraId: string): Promise<void> {
    const db = tx.as<Tables>();
    await db.deleteFrom('camera_grant').where('camera_id', '=', cameraId).execute();
    await db.deleteFrom('camera_group_member').where('camera_id', '=', cameraId).execute();
  }

  /** All active users who may see a camera, by name. */
  async viewers(camera: {
    readonly id: string;
    readonly created_by: string | null;
  }): Promise<ViewerRow[]> {
    const { rows } = await sql<ViewerRow>`
      with reaching as (
        select * from camera_grant
         where camera_id = ${camera.id} or camera_group_id in
               (select group_id from camera_group_member where camera_id = ${camera.id})),
      held as (
        select id, user_id, null as via, capabilities from reaching where user_id is not null
        union all
        select reaching.id, member.user_id, named.name, reaching.capabilities
          from reaching
          join accounts_v_group named on named.id = reaching.user_group_id
          join accounts_v_member member on member.group_id = reaching.user_group_id)
      select person.id, person.first_name || ' ' || person.last_name as name, person.email,
             person.role, person.is_staff,
             coalesce(person.id = ${camera.created_by}::uuid, false) as made,
             held.via, coalesce(held.capabilities, '{}') as capabilities,
             ${categoriesOf('held.id')} as categories
        from app_user person left join held on held.user_id = person.id
       where person.is_active
         and (held.id is not null or person.id = ${camera.created_by}::uuid
              or person.is_staff or person.role in ('admin', 'superadmin'))
       order by ${folded(sql`person.first_name`)}, ${folded(sql`person.last_name`)}, person.id, held.via nulls first
    `.execute(this.#db.read());
    return rows;
  }
}

/** Adds the cameras that the grant is for. */
const reached =
  (listed: Readonly<Record<string, string[]>>) =>
  ({ camera_id, camera_group_id, capabilities, categories }: ReachingRow): HeldRow => {
    const camera_ids = camera_id === null ? (listed[camera_group_id ?? ''] ?? []) : [camera_id];
    return { camera_ids, capabilities, categories };
  };

function fits(column: string, id: string | undefined): RawBuilder<boolean> {
  return id === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ${id}`;
}
