import { sql } from 'kysely';
import type { GroupMember } from '@nazar/contract/user-groups.ts';
import type { MembershipChange } from '#lib/membership.ts';
import type { Database, Tx } from '#db/database.ts';

export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly created_at: Date;
}

export type ListedGroup = GroupRow & { readonly members: GroupMember[] };

interface Tables {
  user_group: GroupRow;
  user_group_member: { group_id: string; user_id: string };
}

/** SQL of groups of users; the only writer of their tables. */
export class GroupStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** By name, members too. Also what `tx` has just written. */
  async list(id?: string, tx?: Tx): Promise<ListedGroup[]> {
    const { rows } = await sql<ListedGroup>`
      select grouped.id, grouped.name, grouped.description, grouped.created_at,
             coalesce(json_agg(json_build_object(
                 'id', person.id, 'name', person.first_name || ' ' || person.last_name,
                 'email', person.email)
               order by lower(person.first_name), lower(person.last_name), person.id)
               filter (where person.id is not null), '[]') as members
        from user_group grouped
        left join user_group_member listed on listed.group_id = grouped.id
        left join app_user person on person.id = listed.user_id
       where ${id === undefined ? sql`true` : sql`grouped.id = ${id}`}
       group by grouped.id order by lower(grouped.name)
    `.execute(tx ? tx.as() : this.#db.read());
    return rows;
  }

  async add(tx: Tx, row: GroupRow): Promise<void> {
    await tx.as<Tables>().insertInto('user_group').values(row).execute();
  }

  /** False when it is not there. */
  async change(
    tx: Tx,
    id: string,
    change: Pick<GroupRow, 'name' | 'description'>,
  ): Promise<boolean> {
    const changed = await tx
      .as<Tables>()
      .updateTable('user_group')
      .set(change)
      .where('id', '=', id)
      .executeTakeFirst();
    return changed.numUpdatedRows > 0n;
  }

  /** Who came and who left. */
  async setMembers(tx: Tx, id: string, userIds: readonly string[]): Promise<MembershipChange> {
    const db = tx.as<Tables>();
    const removed = await db
      .deleteFrom('user_group_member')
      .where('group_id', '=', id)
      .where(sql<boolean>`user_id <> all(${userIds}::uuid[])`)
      .returning('user_id as member')
      .execute();
    const added = await db
      .insertInto('user_group_member')
      .columns(['group_id', 'user_id'])
      .expression(sql`select ${id}::uuid, listed from unnest(${userIds}::uuid[]) listed`)
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id as member')
      .execute();
    return { added: added.map(memberOf), removed: removed.map(memberOf) };
  }

  /** What it was called; null when it is not there. */
  async remove(tx: Tx, id: string): Promise<string | null> {
    const removed = await tx
      .as<Tables>()
      .deleteFrom('user_group')
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst();
    return removed?.name ?? null;
  }
}

const memberOf = ({ member }: { member: string }): string => member;
