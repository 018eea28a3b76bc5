import { sql } from 'kysely';
import type { MembershipChange } from '#lib/membership.ts';
import type { Database, Tx } from '#db/database.ts';

export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly created_at: Date;
}

export type GroupText = Pick<GroupRow, 'name' | 'description'>;

/** The database names of groups of one kind. */
export interface GroupTables {
  readonly groups: string;
  readonly members: string;
  /** The column of `members` that holds the member's id. */
  readonly member: string;
}

/** SQL of groups of one kind, on behalf of the module that owns their tables. Methods with `tx` belong to their caller. */
export class GroupStore {
  readonly #db: Database;
  readonly #groups: ReturnType<typeof sql.table>;
  readonly #members: ReturnType<typeof sql.table>;
  readonly #member: ReturnType<typeof sql.ref>;

  constructor(db: Database, { groups, members, member }: GroupTables) {
    this.#db = db;
    this.#groups = sql.table(groups);
    this.#members = sql.table(members);
    this.#member = sql.ref(member);
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  async add(tx: Tx, { id, name, description, created_at }: GroupRow): Promise<void> {
    await sql`
      insert into ${this.#groups} (id, name, description, created_at)
      values (${id}, ${name}, ${description}, ${created_at})`.execute(tx.as());
  }

  /** The values before the change; null when the group does not exist. */
  async change(tx: Tx, id: string, { name, description }: GroupText): Promise<GroupText | null> {
    const { rows } = await sql<GroupText>`
      with before as (
        select id, name, description from ${this.#groups} where id = ${id} for update
      )
      update ${this.#groups} as changed set name = ${name}, description = ${description}
        from before where changed.id = before.id
      returning before.name, before.description`.execute(tx.as());
    return rows[0] ?? null;
  }

  /** The ids that joined and the ids that left. */
  async setMembers(tx: Tx, id: string, ids: readonly string[]): Promise<MembershipChange> {
    const removed = await sql<{ id: string }>`
      delete from ${this.#members}
       where group_id = ${id} and ${this.#member} <> all(${ids}::uuid[])
      returning ${this.#member} as id`.execute(tx.as());
    const added = await sql<{ id: string }>`
      insert into ${this.#members} (group_id, ${this.#member})
      select ${id}::uuid, listed from unnest(${ids}::uuid[]) listed
      on conflict do nothing
      returning ${this.#member} as id`.execute(tx.as());
    return { added: added.rows.map(idOf), removed: removed.rows.map(idOf) };
  }

  /** The group's name; null when the group does not exist. */
  async remove(tx: Tx, id: string): Promise<string | null> {
    const { rows } = await sql<{ name: string }>`
      delete from ${this.#groups} where id = ${id} returning name`.execute(tx.as());
    return rows[0]?.name ?? null;
  }
}

const idOf = ({ id }: { id: string }): string => id;
