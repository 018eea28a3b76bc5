/** Rules on a world of modules, evaluated when a test says so, and the alerts that they raised. */
import { sql } from 'kysely';
import type { AlertKind, AlertLevel, AlertStatus } from '@nazar/contract/alerts.ts';
import type { WatchfulMode } from '@nazar/contract/house-mode.ts';
import type { WeekSchedule } from '@nazar/contract/week-schedule.ts';
import { AlertRunner } from '#alerts/evaluation/alert-runner.ts';
import type { ChangedAlert } from '#alerts/evaluation/changed-alert.ts';
import { EnabledRules } from '#alerts/evaluation/enabled-rules.ts';
import type { Database } from '#db/database.ts';
import { uuidv7 } from '#lib/ids.ts';
import { quietLog, type World } from './world.ts';

export interface AlertRow {
  readonly id: string;
  readonly rule_id: string | null;
  readonly kind: AlertKind;
  readonly level: AlertLevel;
  readonly status: AlertStatus;
  readonly camera_id: string | null;
  readonly warning_kind: string | null;
  readonly details: Record<string, unknown>;
  readonly count: number;
  readonly people: number | null;
  readonly created_at: Date;
  readonly last_at: Date;
  readonly ended_at: Date | null;
  readonly resolved_by: string | null;
  readonly resolved_at: Date | null;
}

export interface Evaluation extends AsyncDisposable {
  readonly runner: AlertRunner;
  /** What was published of alerts so far. */
  readonly said: readonly ChangedAlert[];
  /** Replaces all rules; returns the ids of these. */
  rules(...rules: readonly Partial<MadeRule>[]): Promise<string[]>;
  /** The oldest first. */
  alerts(): Promise<AlertRow[]>;
  /** How many changes wait for the rules. */
  waiting(): Promise<number>;
}

interface MadeRule {
  readonly kind: AlertKind;
  readonly level: AlertLevel;
  readonly isEnabled: boolean;
  readonly cameras: readonly string[] | null;
  readonly cameraGroups: readonly string[];
  readonly categories: readonly string[];
  readonly schedule: WeekSchedule | null;
  readonly modes: readonly WatchfulMode[];
  readonly visits: number;
  readonly confidencePercent: number;
  readonly quietMinutes: number;
}

export async function alertsIn(db: Database): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    select * from alert order by created_at, last_at, id`.execute(db.read());
  return rows;
}

/** `db`: another way to the same database. The runner does nothing by itself while the world's clock stands still. */
export function anEvaluation(world: World, db: Database = world.database.db): Evaluation {
  const { clock } = world;
  const rules = new EnabledRules({ log: quietLog });
  const runner = new AlertRunner({ db, rules, wakes: [], clock, log: quietLog });
  const said: ChangedAlert[] = [];
  runner.changed.on((alert) => said.push(alert));
  const writing = world.database.db.write();
  return {
    runner,
    said,
    async rules(...made) {
      await sql`delete from alert_rule`.execute(writing);
      const ids = made.map((rule) => ({ id: uuidv7(clock.now()), ...rule }));
      for (const rule of ids) {
        await sql`
          insert into alert_rule (id, kind, level, is_enabled, camera_ids, camera_group_ids,
            category_ids, schedule, modes, visits, confidence_percent, quiet_minutes, created_at)
          values (${rule.id}, ${rule.kind ?? 'unknown_person'}, ${rule.level ?? 'warning'},
                  ${rule.isEnabled ?? true}, ${rule.cameras ?? null}, ${rule.cameraGroups ?? []},
                  ${rule.categories ?? []}, ${rule.schedule ?? null}, ${rule.modes ?? ['home', 'away']},
                  ${rule.visits ?? 3}, ${rule.confidencePercent ?? 0},
                  ${rule.quietMinutes ?? 10}, ${new Date(clock.now())})`.execute(writing);
      }
      rules.rulesChanged.publish(null);
      return ids.map(({ id }) => id);
    },
    alerts: () => alertsIn(world.database.db),
    async waiting() {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from feed_change where kind in ('visit', 'warning')`.execute(
        writing,
      );
      return rows[0]!.count;
    },
    [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose](),
  };
}
