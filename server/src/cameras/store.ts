import { sql, type Generated } from 'kysely';
import type {
  CameraQuery,
  cameraStatuses,
  cameraTypes,
  resolutions,
} from '@nazar/contract/cameras.ts';
import type { Database, Tx } from '#db/database.ts';
import { hasText } from '#db/like.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { pageOf, type Paged } from '#db/page.ts';
import { granted, type OwnedCamera, type Scope } from '#http/scope.ts';

export interface CameraRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly location: string;
  readonly type: (typeof cameraTypes)[number];
  readonly status: (typeof cameraStatuses)[number];
  readonly ip_address: string;
  /** The part of the address that may be shown: masks replace its secrets. */
  readonly url: string;
  /** '' if there is none. */
  readonly sub_url: string;
  readonly device_url: string;
  /** The secrets behind the masks, sealed; null if there are none. */
  readonly url_secrets: Buffer | null;
  readonly username: string;
  readonly password: Buffer | null;
  readonly certificate: string;
  readonly resolution: (typeof resolutions)[number];
  readonly fps: number;
  readonly rotation: 0 | 90 | 180 | 270;
  readonly enable_face_recognition: boolean;
  readonly enable_audio: boolean;
  readonly is_demo: boolean;
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

/** As it is stored: the database makes a new `streams_id` whenever an address changes. */
export type StoredCamera = CameraRow & { readonly streams_id: string };

export type CameraChange = Partial<Omit<CameraRow, 'id' | 'created_by' | 'created_at'>>;

/** The camera to change; `updated_at`: only in that state of it, absent: in any. */
export interface WhichCamera {
  readonly id: string;
  readonly updated_at?: Date | undefined;
}

export type ListedCamera = CameraRow & { readonly created_by_email: string | null };

interface Tables {
  camera: CameraRow & { readonly streams_id: Generated<string> };
  camera_group_member: { group_id: string; camera_id: string };
  app_user: { id: string; email: string };
}

/** SQL of cameras; the only writer of its table. Deleted cameras stay as rows for the sake of their recordings. */
export class CameraStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(scope: Scope, query: CameraQuery): Promise<Paged<ListedCamera>> {
    const isDescending = query.ordering.startsWith('-');
    const column = (isDescending ? query.ordering.slice(1) : query.ordering) as
      'name' | 'location' | 'created_at';
    const rows = this.#matching(scope, query)
      .selectAll('camera')
      .select('app_user.email as created_by_email')
      .orderBy(`camera.${column}`, isDescending ? 'desc' : 'asc')
      .orderBy('camera.id');
    return pageOf(rows, { page: query.page, pageSize: query.page_size });
  }

  /** Null outside the scope, as if it did not exist. */
  async find(scope: Scope, id: string): Promise<ListedCamera | null> {
    const row = await this.#visible(scope)
      .selectAll('camera')
      .select('app_user.email as created_by_email')
      .where('camera.id', '=', id)
      .executeTakeFirst();
    return row ?? null;
  }

  /** A deleted camera, for administrators; null if it is not deleted, or never existed. */
  async deleted(id: string): Promise<CameraRow | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('camera')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', 'is not', null)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Every camera, for the ingest; no scope: no user requests it. */
  all(): Promise<StoredCamera[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('camera')
      .selectAll()
      .where('deleted_at', 'is', null)
      .execute();
  }

  /** The demo camera, if there is one. */
  async demoId(): Promise<string | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('camera')
      .select('id')
      .where('is_demo', '=', true)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    return row?.id ?? null;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  async add(tx: Tx, row: CameraRow): Promise<void> {
    await tx.as<Tables>().insertInto('camera').values(row).execute();
  }

  /** False if it was deleted meanwhile (a deleted camera stays wiped), or changed since `updated_at`. */
  async change(tx: Tx, { id, updated_at }: WhichCamera, change: CameraChange): Promise<boolean> {
    let update = tx
      .as<Tables>()
      .updateTable('camera')
      .set(change)
      .where('id', '=', id)
      .where('deleted_at', 'is', null);
    if (updated_at !== undefined) update = update.where('updated_at', '=', updated_at);
    const changed = await update.executeTakeFirst();
    return changed.numUpdatedRows > 0n;
  }

  /** The first thousand by name. */
  names(scope: Scope): Promise<{ id: string; name: string }[]> {
    return this.#visible(scope)
      .select(['camera.id', 'camera.name'])
      .orderBy('camera.name')
      .orderBy('camera.id')
      .limit(1000)
      .execute();
  }

  /** The makers of the cameras that the caller may see, by email address. */
  async owners(scope: Scope): Promise<{ id: string; email: string }[]> {
    const rows = await this.#visible(scope)
      .select(['app_user.id', 'app_user.email'])
      .distinct()
      .where('app_user.id', 'is not', null)
      .orderBy('app_user.email')
      .execute();
    return rows.flatMap(({ id, email }) => (id === null || email === null ? [] : [{ id, email }]));
  }

  /** Without deleted ones. */
  async ownersOf(ids: readonly string[]): Promise<OwnedCamera[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('camera')
      .select(['id', 'created_by'])
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .where('deleted_at', 'is', null)
      .execute();
  }

  async visibleAmong(scope: Scope, ids: readonly string[]): Promise<string[]> {
    const rows = await this.#visible(scope)
      .where(sql<boolean>`camera.id = any(${ids}::uuid[])`)
      .select('camera.id')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** How many cameras the caller may see, by status. */
  async countByStatus(scope: Scope): Promise<Record<CameraRow['status'], number>> {
    const rows = await this.#visible(scope)
      .select(({ fn }) => ['camera.status', fn.countAll<number>().as('count')])
      .groupBy('camera.status')
      .execute();
    const counts = { active: 0, inactive: 0, maintenance: 0, error: 0 };
    for (const { status, count } of rows) counts[status] = count;
    return counts;
  }

  /** The active cameras that the caller may see. */
  async activeIds(scope: Scope): Promise<string[]> {
    const rows = await this.#visible(scope)
      .select('camera.id')
      .where('camera.status', '=', 'active')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Administrators see all cameras, other users those they made or were granted. */
  #visible(scope: Scope) {
    const all = this.#db
      .read<Tables>()
      .selectFrom('camera')
      .leftJoin('app_user', 'app_user.id', 'camera.created_by')
      .where('camera.deleted_at', 'is', null);
    if (scope.seesAll) return all;
    const columns = { owner: 'camera.created_by', id: 'camera.id' };
    return all.where(ownOrListed(scope.userId, granted(scope, 'live'), columns));
  }

  #matching(scope: Scope, { search, status, created_by, group }: CameraQuery) {
    let rows = this.#visible(scope);
    const texts = [sql.ref('camera.name'), sql.ref('camera.location')];
    if (search) rows = rows.where(hasText(texts, search));
    if (status) rows = rows.where('camera.status', '=', status);
    if (created_by) rows = rows.where('camera.created_by', '=', created_by);
    if (group) {
      rows = rows.where((where) =>
        where.exists(
          where
            .selectFrom('camera_group_member as member')
            .select('member.camera_id')
            .where('member.group_id', '=', group)
            .whereRef('member.camera_id', '=', 'camera.id'),
        ),
      );
    }
    return rows;
  }
}
