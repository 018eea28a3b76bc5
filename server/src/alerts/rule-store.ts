import { sql } from 'kysely';
import type { AlertKind, AlertLevel } from '@nazar/contract/alerts.ts';
import type { WatchfulMode } from '@nazar/contract/house-mode.ts';
import type { WeekSchedule } from '@nazar/contract/week-schedule.ts';
import type { Database, Tx } from '#db/database.ts';

export interface RuleRow {
  readonly id: string;
  readonly kind: AlertKind;
  readonly level: AlertLevel;
  readonly is_enabled: boolean;
  /** Null: all cameras. */
  readonly camera_ids: string[] | null;
  /** Groups whose cameras count, too; empty where `camera_ids` is null. */
  readonly camera_group_ids: string[];
  readonly category_ids: string[];
  /** Null: at all times. */
  readonly schedule: WeekSchedule | null;
  readonly modes: WatchfulMode[];
  readonly visits: number;
  readonly confidence_percent: number;
  readonly quiet_minutes: number;
  readonly created_at: Date;
}

/** A rule as it is evaluated. */
export type EnabledRule = Omit<RuleRow, 'is_enabled' | 'created_at'>;

interface Tables {
  alert_rule: RuleRow;
}

/** SQL of the rules; the only writer of their table. */
export class RuleStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** In the order in which they were added. */
  list(): Promise<RuleRow[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('alert_rule')
      .selectAll()
      .orderBy('created_at')
      .orderBy('kind')
      .orderBy('id')
      .execute();
  }

  /** Returns the rule and locks it. */
  async locked(tx: Tx, id: string): Promise<RuleRow | null> {
    const row = await tx
      .as<Tables>()
      .selectFrom('alert_rule')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    return row ?? null;
  }

  async count(tx: Tx): Promise<number> {
    const { count } = await tx
      .as<Tables>()
      .selectFrom('alert_rule')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  async add(tx: Tx, row: RuleRow): Promise<void> {
    await tx.as<Tables>().insertInto('alert_rule').values(row).execute();
  }

  async change(tx: Tx, { id, ...row }: RuleRow): Promise<void> {
    await tx.as<Tables>().updateTable('alert_rule').set(row).where('id', '=', id).execute();
  }

  /** Alerts that it has raised stay, and are over. Returns whether it was there. */
  async remove(tx: Tx, id: string, at: Date): Promise<boolean> {
    await sql`
      update alert set ended_at = greatest(${at}, last_at) where rule_id = ${id} and ended_at is null`.execute(
      tx.as(),
    );
    const removed = await tx
      .as<Tables>()
      .deleteFrom('alert_rule')
      .where('id', '=', id)
      .executeTakeFirst();
    return removed.numDeletedRows > 0n;
  }
}

/** The rules that are on, the oldest first. */
export function enabledRules(tx: Tx): Promise<EnabledRule[]> {
  return tx
    .as<Tables>()
    .selectFrom('alert_rule')
    .select([
      'id',
      'kind',
      'level',
      'camera_ids',
      'camera_group_ids',
      'category_ids',
      'schedule',
      'modes',
      'visits',
      'confidence_percent',
      'quiet_minutes',
    ])
    .where('is_enabled', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}
