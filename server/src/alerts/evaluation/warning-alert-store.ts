import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { AppliedRule, SeenWarning } from './warning-alerts.ts';

interface Tables {
  alert: { readonly id: string; readonly warning_id: string | null };
}

export interface MirroredAlert {
  readonly id: string;
  readonly camera_id: string | null;
  readonly ended_at: Date | null;
}

/** SQL of alerts that show warnings. */
export class WarningAlertStore {
  /** Those of these warnings that have an alert. */
  async known(tx: Tx, warningIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await tx
      .as<Tables>()
      .selectFrom('alert')
      .select('warning_id')
      .where('warning_id', 'in', [...warningIds])
      .execute();
    return new Set(rows.flatMap(({ warning_id }) => warning_id ?? []));
  }

  async begin(
    tx: Tx,
    id: string,
    warning: SeenWarning,
    rule: AppliedRule,
    at: Date,
  ): Promise<void> {
    await sql`
      insert into alert (id, rule_id, kind, level, subject, camera_id, warning_id, warning_kind, created_at, last_at)
      values (${id}, ${rule.ruleId}, ${rule.kind}, ${rule.level}, ${warning.id}, ${warning.camera_id},
              ${warning.id}, ${warning.kind}, ${at}, ${warning.last_at})`.execute(tx.as<Tables>());
  }

  /** What a user did about the alert before the warning was acknowledged stays; that of a deleted rule stays over. */
  async mirror(tx: Tx, warning: SeenWarning): Promise<MirroredAlert | null> {
    const { acknowledged_at: at, acknowledged_by: by } = warning;
    const isDone = sql`${at}::timestamptz is not null and status in ('new', 'in_progress')`;
    const { rows } = await sql<MirroredAlert>`
      update alert set
        count = ${warning.count}, last_at = ${warning.last_at},
        ended_at = case when rule_id is null and ended_at is not null then ended_at
          else ${warning.ended_at}::timestamptz end,
        details = ${JSON.stringify(warning.details)},
        status = case when ${isDone} then 'resolved' else status end,
        resolved_at = case when ${isDone} then ${at}::timestamptz else resolved_at end,
        resolved_by = case when ${isDone} then ${by}::uuid else resolved_by end
      where warning_id = ${warning.id}
      returning id, camera_id, ended_at`.execute(tx.as<Tables>());
    return rows[0] ?? null;
  }
}
