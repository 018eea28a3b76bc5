import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { folded } from '#db/like.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { granted, type Scope } from '#http/scope.ts';
import type { GroupRow } from '#groups/groups.ts';

export type ListedGroup = Omit<GroupRow, 'created_at'> & { readonly cameras: string[] };

/** SQL of the cameras in groups. */
export class CameraGroupStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Groups with the cameras that the caller may see; groups without any are hidden. */
  async list(scope: Scope, id?: string): Promise<ListedGroup[]> {
    const columns = { owner: 'camera.created_by', id: 'camera.id' };
    const visible = scope.seesAll
      ? sql<boolean>`true`
      : ownOrListed(scope.userId, granted(scope, 'live'), columns);
    const { rows } = await sql<ListedGroup>`
      select grouped.id, grouped.name, grouped.description,
             coalesce(array_agg(camera.id order by ${folded(sql`camera.name`)}, camera.id)
                      filter (where camera.id is not null), '{}') as cameras
        from camera_group grouped
        left join camera_group_member listed on listed.group_id = grouped.id
        left join camera on camera.id = listed.camera_id and camera.deleted_at is null and ${visible}
       where ${id === undefined ? sql`true` : sql`grouped.id = ${id}`}
       group by grouped.id
      having ${scope.seesAll} or count(camera.id) > 0
       order by ${folded(sql`grouped.name`)}
    `.execute(this.#db.read());
    return rows;
  }
}
