import { sql } from 'kysely';
import type { GroupMember } from '@nazar/contract/user-groups.ts';
import type { Database } from '#db/database.ts';
import { folded } from '#db/like.ts';
import type { GroupRow } from '#groups/groups.ts';

export type ListedGroup = GroupRow & { readonly members: GroupMember[] };

/** SQL of the members of groups of users. */
export class UserGroupStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** By name, with their members. */
  async list(id?: string): Promise<ListedGroup[]> {
    const { rows } = await sql<ListedGroup>`
      select grouped.id, grouped.name, grouped.description, grouped.created_at,
             coalesce(json_agg(json_build_object(
                 'id', person.id, 'name', person.first_name || ' ' || person.last_name,
                 'email', person.email)
               order by ${folded(sql`person.first_name`)}, ${folded(sql`person.last_name`)}, person.id)
               filter (where person.id is not null), '[]') as members
        from user_group grouped
        left join user_group_member listed on listed.group_id = grouped.id
        left join app_user person on person.id = listed.user_id
       where ${id === undefined ? sql`true` : sql`grouped.id = ${id}`}
       group by grouped.id order by ${folded(sql`grouped.name`)}
    `.execute(this.#db.read());
    return rows;
  }
}
