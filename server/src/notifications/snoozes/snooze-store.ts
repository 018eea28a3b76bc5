import { sql } from 'kysely';
import type { AlertKind } from '@nazar/contract/alerts.ts';
import type { Database, Tx } from '#db/database.ts';

export interface SnoozeRow {
  readonly id: string;
  /** Null: no user is notified. */
  readonly user_id: string | null;
  readonly camera_id: string | null;
  readonly rule_id: string | null;
  readonly until: Date;
  readonly created_by: string;
}

/** A snooze with the names beside its ids. */
export interface ListedSnooze extends SnoozeRow {
  readonly camera_name: string | null;
  readonly rule_kind: AlertKind | null;
  readonly created_by_name: string | null;
}

/** SQL of snoozes; the only writer of their table. */
export class SnoozeStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** Snoozes of the user and of everyone, the first to end first. Those of cameras and rules that are gone are left out. */
  async list(userId: string, now: Date): Promise<ListedSnooze[]> {
    const { rows } = await sql<ListedSnooze>`
      select snooze.*, camera.name as camera_name, rule.kind as rule_kind,
             trim(account.first_name || ' ' || account.last_name) as created_by_name
        from notification_snooze snooze
        left join cameras_v_camera camera on camera.id = snooze.camera_id and camera.deleted_at is null
        left join alerts_v_rule rule on rule.id = snooze.rule_id
        left join app_user account on account.id = snooze.created_by
       where snooze.until > ${now} and (snooze.user_id = ${userId} or snooze.user_id is null)
         and (camera.id is not null or rule.id is not null)
       order by snooze.until, snooze.id`.execute(this.#db.read());
    return rows;
  }

  async hasRule(id: string): Promise<boolean> {
    const { rows } = await sql`select from alerts_v_rule where id = ${id}`.execute(this.#db.read());
    return rows.length > 0;
  }

  /** Another end of what is snoozed already. Returns its id. */
  async put(tx: Tx, row: SnoozeRow): Promise<string> {
    const { id, user_id, camera_id, rule_id, until, created_by } = row;
    const { rows } = await sql<{ id: string }>`
      insert into notification_snooze (id, user_id, camera_id, rule_id, until, created_by)
      values (${id}, ${user_id}, ${camera_id}, ${rule_id}, ${until}, ${created_by})
      on conflict (user_id, camera_id, rule_id)
        do update set until = excluded.until, created_by = excluded.created_by
      returning id`.execute(tx.as());
    return rows[0]!.id;
  }

  /** How many there are of this user; null: of everyone. */
  async count(tx: Tx, userId: string | null, now: Date): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from notification_snooze
       where user_id is not distinct from ${userId}::uuid and until > ${now}`.execute(tx.as());
    return rows[0]!.count;
  }

  /** Returns the snooze of the user or of everyone, and locks it. */
  async locked(tx: Tx, id: string, userId: string, now: Date): Promise<SnoozeRow | null> {
    const { rows } = await sql<SnoozeRow>`
      select * from notification_snooze
       where id = ${id} and until > ${now} and (user_id = ${userId} or user_id is null)
         for update`.execute(tx.as());
    return rows[0] ?? null;
  }

  async remove(tx: Tx, id: string): Promise<void> {
    await sql`delete from notification_snooze where id = ${id}`.execute(tx.as());
  }
}

/** Those that hold at that moment. */
export async function snoozesAt(tx: Tx, now: Date): Promise<SnoozeRow[]> {
  const { rows } = await sql<SnoozeRow>`
    select * from notification_snooze where until > ${now}`.execute(tx.as());
  return rows;
}
