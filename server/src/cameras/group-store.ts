import { sql } from 'kysely';
import type { MembershipChange } from '#lib/membership.ts';
import type { Database, Tx } from '#db/database.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { granted, type Scope } from '#http/scope.ts';

export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly created_at: Date;
}

export type ListedGroup = Omit<GroupRow, 'created_at'> & { readonly cameras: string[] };

interface Tables {
  camera_group: GroupRow;
  camera_group_member: { group_id: string; camera_id: string };
}

/** SQL of groups of cameras; the only writer of their tables. */
export class GroupStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** With the cameras one may see; a group in which one sees none is none of one's business (C-308). */
  async list(scope: Scope, id?: string): Promise<ListedGroup[]> {
    const columns = { owner: 'camera.created_by', id: 'camera.id' };
    const visible = scope.seesAll
      ? sql<boolean>`true`
      : ownOrListed(scope.userId, granted(scope, 'live'), columns);
    const { rows } = await sql<ListedGroup>`
      select grouped.id, grouped.name, grouped.description,
             coalesce(array_agg(camera.id order by lower(camera.name), camera.id)
                      filter (where camera.id is not null), '{}') as cameras
        from camera_group grouped
        left join camera_group_member listed on listed.group_id = grouped.id
        left join camera on camera.id = listed.camera_id and camera.deleted_at is null and ${visible}
       where ${id === undefined ? sql`true` : sql`grouped.id = ${id}`}
       group by grouped.id
      having ${scope.seesAll} or count(camera.id) > 0
       order by lower(grouped.name)
    `.execute(this.#db.read());
    return rows;
  }

  async add(tx: Tx, row: GroupRow): Promise<void> {
    await tx.as<Tables>().insertInto('camera_group').values(row).execute();
  }

  /** False when it is not there. */
  async change(
    tx: Tx,
    id: string,
    change: Pick<GroupRow, 'name' | 'description'>,
  ): Promise<boolean> {
    const changed = await tx
      .as<Tables>()
      .updateTable('camera_group')
      .set(change)
      .where('id', '=', id)
      .executeTakeFirst();
    return changed.numUpdatedRows > 0n;
  }

  /** Who came and who left. */
  async setCameras(tx: Tx, id: string, cameraIds: readonly string[]): Promise<MembershipChange> {
    const db = tx.as<Tables>();
    const removed = await db
      .deleteFrom('camera_group_member')
      .where('group_id', '=', id)
      .where(sql<boolean>`camera_id <> all(${cameraIds}::uuid[])`)
      .returning('camera_id as member')
      .execute();
    const added = await db
      .insertInto('camera_group_member')
      .columns(['group_id', 'camera_id'])
      .expression(sql`select ${id}::uuid, listed from unnest(${cameraIds}::uuid[]) listed`)
      .onConflict((conflict) => conflict.doNothing())
      .returning('camera_id as member')
      .execute();
    return { added: added.map(memberOf), removed: removed.map(memberOf) };
  }

  /** What it was called; null when it is not there. */
  async remove(tx: Tx, id: string): Promise<string | null> {
    const removed = await tx
      .as<Tables>()
      .deleteFrom('camera_group')
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst();
    return removed?.name ?? null;
  }
}

const memberOf = ({ member }: { member: string }): string => member;
