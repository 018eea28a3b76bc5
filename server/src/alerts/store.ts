/** SQL of alerts as users list them and change their status. What raises them writes them, too (`evaluation/`). */
import { sql, type RawBuilder } from 'kysely';
import {
  alertLevels,
  type AlertKind,
  type AlertLevel,
  type AlertQuery,
  type AlertStatus,
} from '@nazar/contract/alerts.ts';
import { countRowsUpTo, type BoundedPage } from '#db/bounded-page.ts';
import type { Database, Tx } from '#db/database.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { granted, type Scope } from '#http/scope.ts';

export interface AlertRow {
  readonly id: string;
  readonly rule_id: string | null;
  readonly kind: AlertKind;
  readonly level: AlertLevel;
  readonly status: AlertStatus;
  readonly camera_id: string | null;
  readonly warning_id: string | null;
  readonly warning_kind: string | null;
  readonly count: number;
  readonly people: number | null;
  readonly created_at: Date;
  readonly last_at: Date;
  readonly ended_at: Date | null;
  readonly assigned_to: string | null;
  readonly resolved_by: string | null;
  readonly resolved_at: Date | null;
}

/** An alert with its note, the names beside its ids and its newest visit. */
export interface ListedAlert extends AlertRow {
  readonly resolution_notes: string;
  readonly camera_name: string | null;
  readonly assigned_to_name: string | null;
  readonly resolved_by_name: string | null;
  readonly visit_id: string | null;
  readonly visit_started_at: Date | null;
}

export interface AlertVisitRow {
  readonly visit_id: string;
  readonly started_at: Date;
}

export interface AssignmentRow {
  readonly at: Date;
  readonly assigned_to_name: string | null;
  readonly assigned_by_name: string | null;
}

/** `from` and `until` are the moments of the days that were asked for. */
export type AlertFilter = Omit<AlertQuery, 'start_date' | 'end_date' | 'timezone'> & {
  readonly from: Date | null;
  readonly until: Date | null;
};

const orders: Readonly<Record<AlertQuery['ordering'], RawBuilder<unknown>>> = {
  '-created_at': sql`alert.created_at desc, alert.id desc`,
  created_at: sql`alert.created_at, alert.id`,
  '-last_at': sql`alert.last_at desc, alert.id desc`,
  last_at: sql`alert.last_at, alert.id`,
  '-level': sql`alert.level_rank desc, alert.created_at desc, alert.id desc`,
  level: sql`alert.level_rank, alert.created_at, alert.id`,
};

const nameOf = (id: RawBuilder<unknown>) => sql`(
  select trim(first_name || ' ' || last_name) from app_user where app_user.id = ${id})`;

const columns = sql`
  alert.id, alert.rule_id, alert.kind, alert.level, alert.status, alert.camera_id, alert.warning_id,
  alert.warning_kind, alert.count, alert.people, alert.created_at, alert.last_at, alert.ended_at, alert.assigned_to,
  alert.resolved_by, alert.resolved_at, camera.name as camera_name,
  coalesce((select note.text from alert_note note where note.alert_id = alert.id), '') as resolution_notes,
  ${nameOf(sql`alert.assigned_to`)} as assigned_to_name, ${nameOf(sql`alert.resolved_by`)} as resolved_by_name,
  newest.visit_id, newest.started_at as visit_started_at`;

/** Deletes of visits leave their ids for a while: only visits that lists have are shown. */
const newestVisit = sql`
  left join lateral (
    select part.visit_id, part.started_at from alert_visit part
     where part.alert_id = alert.id
       and exists (select from visits_v_visit visit
                    where visit.id = part.visit_id and visit.started_at = part.started_at)
     order by part.started_at desc, part.visit_id desc limit 1) newest on true`;

export class AlertStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  async list(scope: Scope, filter: AlertFilter): Promise<BoundedPage<ListedAlert>> {
    const { page, page_size: limit, ordering } = filter;
    const matching = sql`
      from alert left join cameras_v_camera camera on camera.id = alert.camera_id
      where ${visibleTo(scope)} and ${sql.join(conditions(scope, filter), sql` and `)}`;
    const counted = await countRowsUpTo(this.#db.read(), matching);
    const { rows } = await sql<ListedAlert>`
      with found as materialized (
        select alert.id ${matching}
         order by ${orders[ordering]} limit ${limit} offset ${(page - 1) * limit})
      select ${columns} from found join alert on alert.id = found.id
        left join cameras_v_camera camera on camera.id = alert.camera_id ${newestVisit}
       order by ${orders[ordering]}`.execute(this.#db.read());
    return { ...counted, rows };
  }

  /** How many open alerts this reader may see, by status and level. */
  async openCounts(
    scope: Scope,
  ): Promise<{ status: AlertStatus; level: AlertLevel; count: number }[]> {
    const { rows } = await sql<{ status: AlertStatus; level: AlertLevel; count: number }>`
      select alert.status, alert.level, count(*)::integer as count
        from alert left join cameras_v_camera camera on camera.id = alert.camera_id
       where ${visibleTo(scope)} and alert.status in ('new', 'in_progress')
       group by alert.status, alert.level`.execute(this.#db.scan());
    return rows;
  }

  async find(scope: Scope, id: string): Promise<ListedAlert | null> {
    return (await this.findEach(scope, [id]))[0] ?? null;
  }

  /** Those of these that the scope may see. */
  async findEach(scope: Scope, ids: readonly string[]): Promise<ListedAlert[]> {
    const { rows } = await sql<ListedAlert>`
      select ${columns} from alert
        left join cameras_v_camera camera on camera.id = alert.camera_id ${newestVisit}
       where alert.id = any(${[...ids]}::uuid[]) and ${visibleTo(scope)}`.execute(this.#db.read());
    return rows;
  }

  /** Its latest visits, the newest first. */
  async latestVisits(id: string, limit: number): Promise<AlertVisitRow[]> {
    const { rows } = await sql<AlertVisitRow>`
      select visit_id, started_at from alert_visit where alert_id = ${id}
       order by started_at desc, visit_id desc limit ${limit}`.execute(this.#db.read());
    return rows;
  }

  /** The oldest first. */
  async assignments(id: string): Promise<AssignmentRow[]> {
    const { rows } = await sql<AssignmentRow>`
      select at, ${nameOf(sql`assigned_to`)} as assigned_to_name, ${nameOf(sql`assigned_by`)} as assigned_by_name
        from alert_assignment where alert_id = ${id} order by at`.execute(this.#db.read());
    return rows;
  }

  /** Returns the alert and locks it, if the scope may see it. */
  async locked(tx: Tx, scope: Scope, id: string): Promise<AlertRow | null> {
    const { rows } = await sql<AlertRow>`
      select alert.* from alert left join cameras_v_camera camera on camera.id = alert.camera_id
       where alert.id = ${id} and ${visibleTo(scope)} for update of alert`.execute(tx.as());
    return rows[0] ?? null;
  }

  async assign(
    tx: Tx,
    id: string,
    { to, by, at }: { readonly to: string; readonly by: string; readonly at: Date },
  ): Promise<void> {
    await sql`
      update alert set status = 'in_progress', assigned_to = ${to} where id = ${id}`.execute(
      tx.as(),
    );
    await sql`
      insert into alert_assignment (alert_id, at, assigned_to, assigned_by)
      values (${id}, greatest(${at}, (select max(at) + interval '1 millisecond' from alert_assignment
        where alert_id = ${id})), ${to}, ${by})`.execute(tx.as());
  }

  async close(
    tx: Tx,
    id: string,
    closed: {
      readonly status: 'resolved' | 'dismissed';
      readonly notes: string;
      readonly by: string;
      readonly at: Date;
    },
  ): Promise<void> {
    const { status, notes, by, at } = closed;
    await sql`
      update alert set status = ${status}, resolved_by = ${by}, resolved_at = ${at} where id = ${id}`.execute(
      tx.as(),
    );
    if (notes === '') return;
    await sql`insert into alert_note (alert_id, text) values (${id}, ${notes})`.execute(tx.as());
  }

  /** Whether the account may sign in. */
  async isActive(tx: Tx, userId: string): Promise<boolean> {
    const { rows } = await sql`select from app_user where id = ${userId} and is_active`.execute(
      tx.as(),
    );
    return rows.length > 0;
  }

  /** The name of an account; null: it is gone. */
  async nameOf(tx: Tx, userId: string): Promise<string | null> {
    const { rows } = await sql<{ name: string | null }>`
      select ${nameOf(sql`${userId}::uuid`)} as name`.execute(tx.as());
    return rows[0]?.name ?? null;
  }
}

/**
 * Alerts of cameras that the reader may see. Those about no camera are administrators', and the user's to whom an
 * administrator assigned them.
 */
export function visibleTo(scope: Scope): RawBuilder<boolean> {
  if (scope.seesAll) return sql`true`;
  const camera = { owner: 'camera.created_by', id: 'camera.id' };
  const atVisible = ownOrListed(scope.userId, granted(scope, 'live'), camera);
  const isMine = sql<boolean>`coalesce(alert.assigned_to = ${scope.userId}, false)`;
  return sql`(case when alert.camera_id is null then ${isMine} else ${atVisible} end)`;
}

function conditions(scope: Scope, filter: AlertFilter): RawBuilder<boolean>[] {
  const { status, level, kind, camera__in: cameras, open, mine, from, until } = filter;
  const isOpen = sql<boolean>`alert.status in ('new', 'in_progress')`;
  return [
    sql<boolean>`true`,
    status ? sql<boolean>`alert.status = ${status}` : null,
    // As the index of levels has it: lists in their order begin at the level.
    level ? sql<boolean>`alert.level_rank = ${alertLevels.indexOf(level) + 1}::smallint` : null,
    kind ? sql<boolean>`alert.kind = ${kind}` : null,
    cameras ? atCameras(scope, cameras) : null,
    open === undefined ? null : open ? isOpen : sql<boolean>`not ${isOpen}`,
    // Without a condition on null an index finds the few that are the reader's.
    mine ? sql<boolean>`alert.assigned_to = ${scope.userId}` : null,
    mine === false ? sql<boolean>`alert.assigned_to is distinct from ${scope.userId}` : null,
    from ? sql<boolean>`alert.created_at >= ${from}` : null,
    until ? sql<boolean>`alert.created_at < ${until}` : null,
  ].filter((condition) => condition !== null);
}

/**
 * A user names their own cameras: alerts about no camera that are assigned to them are meant, too. The id of one camera
 * stands alone: behind a list of ids the planner knows no order, and sorts all alerts of the camera.
 */
function atCameras(scope: Scope, ids: readonly string[]): RawBuilder<boolean> {
  const isAt =
    ids.length === 1
      ? sql<boolean>`alert.camera_id = ${ids[0]}`
      : sql<boolean>`alert.camera_id = any(${ids}::uuid[])`;
  return scope.seesAll ? isAt : sql<boolean>`(${isAt} or alert.camera_id is null)`;
}
