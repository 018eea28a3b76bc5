import { sql, type RawBuilder } from 'kysely';
import type { AlertKind, AlertLevel } from '@nazar/contract/alerts.ts';
import type { NotificationKind, NotificationQuery } from '@nazar/contract/notifications.ts';
import type { SecurityEventKind } from '@nazar/contract/security-events.ts';
import type { Database } from '#db/database.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { granted, type Scope } from '#http/scope.ts';

export interface NotificationRow {
  readonly id: string;
  readonly user_id: string;
  readonly kind: NotificationKind;
  readonly alert_id: string | null;
  readonly camera_id: string | null;
  readonly identity_id: string | null;
  readonly visit_id: string | null;
  readonly visit_started_at: Date | null;
  readonly export_id: string | null;
  readonly event: SecurityEventKind | null;
  readonly created_at: Date;
  readonly last_at: Date;
  readonly read_at: Date | null;
}

/** What the reader may know beside it. */
export interface ListedNotification extends NotificationRow {
  /** Null: it is about no camera, or about none that the reader sees. */
  readonly camera_name: string | null;
  readonly has_export: boolean;
}

/** Behind which notification of its user a reader goes on. */
export interface Position {
  readonly id: string;
  readonly created_at: Date;
}

/** Before the first of them all. */
const beginning: Position = {
  id: '00000000-0000-0000-0000-000000000000',
  created_at: new Date(0),
};

/** What a message that leaves the house may say of it. */
export interface Noticeable {
  readonly kind: NotificationKind;
  readonly event: SecurityEventKind | null;
  readonly alert_kind: AlertKind | null;
  readonly level: AlertLevel | null;
}

const atCamera = (scope: Scope): RawBuilder<boolean> =>
  scope.seesAll
    ? sql<boolean>`true`
    : ownOrListed(scope.userId, granted(scope, 'live'), {
        owner: 'camera.created_by',
        id: 'camera.id',
      });

/** The own notifications that the reader may see today: an alert or a person only with its camera. */
function ownOf(scope: Scope): RawBuilder<unknown> {
  const isMine = sql`(${scope.seesAll} or coalesce(alert.assigned_to = ${scope.userId}, false))`;
  return sql`
    from notification
    left join alerts_v_alert alert on alert.id = notification.alert_id
    left join cameras_v_camera camera on camera.id = coalesce(notification.camera_id, alert.camera_id)
      and ${atCamera(scope)}
    where notification.user_id = ${scope.userId} and (case notification.kind
      when 'alert' then camera.id is not null or (alert.id is not null and alert.camera_id is null and ${isMine})
      when 'known_person' then camera.id is not null and camera.deleted_at is null
      else true end)`;
}

/** SQL of the notifications of their reader. */
export class NotificationStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The newest first, and how many there are on all pages. */
  async list(
    scope: Scope,
    { is_read, type, page, page_size: limit }: NotificationQuery,
  ): Promise<{ readonly count: number; readonly rows: ListedNotification[] }> {
    const isOfType = sql`(notification.kind in ('alert', 'known_person')) = ${type === 'alert'}`;
    const matching = sql`
      ${ownOf(scope)}
      and ${is_read === undefined ? sql`true` : sql`(notification.read_at is not null) = ${is_read}`}
      and ${type === undefined ? sql`true` : isOfType}`;
    const counted = await sql<{ count: number }>`
      select count(*)::integer as count ${matching}`.execute(this.#db.read());
    const rows = await this.#rows(sql`${matching}
      order by notification.created_at desc, notification.id desc
      limit ${limit} offset ${(page - 1) * limit}`);
    return { count: counted.rows[0]!.count, rows };
  }

  async find(scope: Scope, id: string): Promise<ListedNotification | null> {
    const rows = await this.#rows(sql`${ownOf(scope)} and notification.id = ${id}`);
    return rows[0] ?? null;
  }

  /** Behind the own one with that id; where there is none: behind the newest. */
  async position({ userId }: Scope, id: string | null): Promise<Position> {
    const isNamed = sql`id = ${id}::uuid`;
    const named = id === null ? [] : await this.#positions(userId, isNamed);
    const [found = beginning] = named.length > 0 ? named : await this.#positions(userId, sql`true`);
    return found;
  }

  /** The newest `limit` of those behind the position, the oldest of them first. */
  async newer(
    scope: Scope,
    { id, created_at: at }: Position,
    limit: number,
  ): Promise<ListedNotification[]> {
    const rows = await this.#rows(sql`
      ${ownOf(scope)} and (notification.created_at, notification.id) > (${at}::timestamptz, ${id}::uuid)
      order by notification.created_at desc, notification.id desc limit ${limit}`);
    return rows.toReversed();
  }

  /** What of these the scope may see, for messages that leave the house. */
  async noticed(scope: Scope, ids: readonly string[]): Promise<ReadonlyMap<string, Noticeable>> {
    const { rows } = await sql<Noticeable & { id: string }>`
      select notification.id, notification.kind, notification.event, alert.kind as alert_kind, alert.level
        ${ownOf(scope)} and notification.id = any(${[...ids]}::uuid[])`.execute(this.#db.read());
    return new Map(rows.map(({ id, ...about }) => [id, about]));
  }

  async unreadCount(scope: Scope): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count ${ownOf(scope)} and notification.read_at is null`.execute(
      this.#db.read(),
    );
    return rows[0]!.count;
  }

  /** `ids`: null means all. What was read before keeps its time. */
  async markRead(scope: Scope, ids: readonly string[] | null, at: Date): Promise<void> {
    const isMeant = ids === null ? sql`true` : sql`id = any(${[...ids]}::uuid[])`;
    await sql`
      update notification set read_at = ${at}
       where user_id = ${scope.userId} and read_at is null and ${isMeant}`.execute(
      this.#db.write(),
    );
  }

  async remove(scope: Scope, id: string): Promise<void> {
    await sql`
      delete from notification where id = ${id} and user_id = ${scope.userId}`.execute(
      this.#db.write(),
    );
  }

  async #positions(userId: string, isMeant: RawBuilder<unknown>): Promise<Position[]> {
    const { rows } = await sql<Position>`
      select id, created_at from notification where user_id = ${userId} and ${isMeant}
       order by created_at desc, id desc limit 1`.execute(this.#db.read());
    return rows;
  }

  async #rows(from: RawBuilder<unknown>): Promise<ListedNotification[]> {
    const { rows } = await sql<ListedNotification>`
      select notification.*, camera.name as camera_name, exists (
        select from recordings_v_export export where export.id = notification.export_id) as has_export
      ${from}`.execute(this.#db.read());
    return rows;
  }
}
