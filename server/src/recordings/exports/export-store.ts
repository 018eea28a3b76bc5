import { sql } from 'kysely';
import type { ExportFault, ExportQuery, exportStatuses } from '@nazar/contract/exports.ts';
import type { CameraMasks } from '#cameras/cameras.ts';
import type { Database, Tx } from '#db/database.ts';
import { pageOf, type Paged } from '#db/page.ts';
import { addChange } from '#feed/feed.ts';
import type { Scope } from '#http/scope.ts';

export interface ExportRow {
  readonly id: string;
  readonly camera_id: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly from_at: Date;
  readonly until_at: Date;
  readonly status: (typeof exportStatuses)[number];
  readonly attempts: number;
  readonly fault: ExportFault | null;
  readonly root_id: string | null;
  readonly expected_bytes: number | null;
  readonly bytes: number | null;
  readonly sha256: Buffer | null;
  readonly seconds: number | null;
  /** What was encoded again, and what could not be, of an export that is copied; null in those of before. */
  readonly encoded_seconds: number | null;
  readonly left_out_seconds: number | null;
  readonly expires_at: Date | null;
  /** Privacy masks are burnt in. */
  readonly is_masked: boolean;
  /**
   * The burnt-in masks, once it is made. Of before there were alignments they say nothing of those.
   */
  readonly masks: CameraMasks | Pick<CameraMasks, 'polygons' | 'rotation'> | null;
}

export type ListedExport = ExportRow & { readonly camera_name: string };
/** As people see it. */
export type NamedExport = ListedExport & { readonly created_by_name: string };

export type NewExport = Pick<
  ExportRow,
  'id' | 'camera_id' | 'created_by' | 'created_at' | 'from_at' | 'until_at' | 'is_masked'
>;

export type ExportChange = Partial<Omit<ExportRow, 'id'>>;

interface Tables {
  recording_export: ExportRow;
  cameras_v_camera: { id: string; name: string };
  app_user: { id: string; first_name: string; last_name: string };
}

const nothingYet = {
  status: 'waiting',
  attempts: 0,
  fault: null,
  root_id: null,
  expected_bytes: null,
  bytes: null,
  sha256: null,
  seconds: null,
  encoded_seconds: null,
  left_out_seconds: null,
  expires_at: null,
  masks: null,
} as const;

/**
 * How far in the future the time of an export may end: clocks of browsers are ahead. What ends later than this was
 * recorded before the server's clock was set back, and needs no wait.
 */
export const maxAheadMs = 60_000;
/** After so long the next segment is known here, too. */
const settledMs = 2_000;

/** SQL of exports. Each belongs to the account that asked for it; administrators see all. */
export class ExportStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  async add(tx: Tx, row: NewExport): Promise<void> {
    await tx
      .as<Tables>()
      .insertInto('recording_export')
      .values({ ...nothingYet, ...row })
      .execute();
  }

  /** The newest first. */
  list(scope: Scope, query: ExportQuery): Promise<Paged<NamedExport>> {
    const { camera, page, page_size: pageSize } = query;
    let rows = this.#visible(scope);
    if (camera !== undefined) rows = rows.where('recording_export.camera_id', '=', camera);
    const newest = rows
      .orderBy('recording_export.created_at', 'desc')
      .orderBy('recording_export.id');
    return pageOf(newest, { page, pageSize });
  }

  /** Null outside the scope, as if it did not exist. */
  async find(scope: Scope, id: string): Promise<NamedExport | null> {
    const row = await this.#visible(scope).where('recording_export.id', '=', id).executeTakeFirst();
    return row ?? null;
  }

  /** Returns the account's own exports of exactly that which did not fail; the newest first. */
  same(
    scope: Scope,
    {
      camera_id,
      from_at,
      until_at,
      is_masked,
    }: Pick<NewExport, 'camera_id' | 'from_at' | 'until_at' | 'is_masked'>,
  ): Promise<NamedExport[]> {
    return this.#visible(scope)
      .where('recording_export.created_by', '=', scope.userId)
      .where('recording_export.camera_id', '=', camera_id)
      .where('from_at', '=', from_at)
      .where('until_at', '=', until_at)
      .where('is_masked', '=', is_masked)
      .where('recording_export.status', '<>', 'failed')
      .orderBy('recording_export.created_at', 'desc')
      .execute();
  }

  /** Returns what was removed; null when it is gone already. */
  async remove(id: string): Promise<ExportRow | null> {
    const row = await this.#db
      .write<Tables>()
      .deleteFrom('recording_export')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return row ?? null;
  }

  /** Makes exports that an earlier run of the server was making wait again. */
  async requeue(): Promise<void> {
    await this.#db
      .write<Tables>()
      .updateTable('recording_export')
      .set({ status: 'waiting' })
      .where('status', '=', 'running')
      .execute();
  }

  /**
   * Returns the one that runs from now on; null when none may. Accounts take turns: first those that are not in
   * `served`, then in its order; of one account the export that has waited longest. One of a time that is about to be
   * over waits for it, and for the segment that is being written.
   */
  async next(served: readonly string[], now: Date): Promise<ListedExport | null> {
    const over = new Date(now.getTime() - settledMs);
    const far = new Date(now.getTime() + maxAheadMs);
    const { rows } = await sql<ListedExport>`
      update recording_export set status = 'running', attempts = attempts + 1
        from cameras_v_camera camera
       where recording_export.id = (
         select id from recording_export asked
          where status = 'waiting' and (until_at <= ${over} or until_at > ${far})
            and not exists (select from recording_segment part
                             where part.camera_id = asked.camera_id and part.ended_at is null
                               and part.started_at < asked.until_at)
          order by coalesce(array_position(${[...served]}::uuid[], created_by), 0), created_at, id
          limit 1 for update skip locked)
         and camera.id = recording_export.camera_id
      returning recording_export.*, camera.name as camera_name`.execute(this.#db.write());
    return rows[0] ?? null;
  }

  /** Whether any waits, if only for its time to be over. */
  async isAnyWaiting(): Promise<boolean> {
    const { rows } = await sql`
      select from recording_export where status = 'waiting' limit 1`.execute(this.#db.read());
    return rows.length > 0;
  }

  /** False when it is gone: it was cancelled. */
  update(id: string, change: ExportChange): Promise<boolean> {
    return this.#db.transaction((tx) => this.#update(tx, id, change));
  }

  /** The same of one that is over: done, or failed for good. */
  finish(id: string, change: ExportChange, at: Date): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const isThere = await this.#update(tx, id, change);
      if (isThere) await addChange(tx, { kind: 'export', subject: id, at });
      return isThere;
    });
  }

  async #update(tx: Tx, id: string, change: ExportChange): Promise<boolean> {
    const { masks, ...rest } = change;
    const stored = masks && { masks: sql<CameraMasks>`${JSON.stringify(masks)}::jsonb` };
    const changed = await tx
      .as<Tables>()
      .updateTable('recording_export')
      .set({ ...rest, ...stored })
      .where('id', '=', id)
      .executeTakeFirst();
    return changed.numUpdatedRows > 0n;
  }

  expired(now: Date): Promise<ExportRow[]> {
    return this.#db
      .write<Tables>()
      .deleteFrom('recording_export')
      .where('expires_at', '<=', now)
      .returningAll()
      .execute();
  }

  /** Returns those of the ids that exist. */
  async known(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('recording_export')
      .select('id')
      .where('id', 'in', [...ids])
      .execute();
    return new Set(rows.map(({ id }) => id));
  }

  #visible(scope: Scope) {
    const all = this.#db
      .read<Tables>()
      .selectFrom('recording_export')
      .innerJoin('cameras_v_camera as camera', 'camera.id', 'recording_export.camera_id')
      .innerJoin('app_user', 'app_user.id', 'recording_export.created_by')
      .selectAll('recording_export')
      .select('camera.name as camera_name')
      .select(
        sql<string>`trim(app_user.first_name || ' ' || app_user.last_name)`.as('created_by_name'),
      );
    return scope.seesAll ? all : all.where('recording_export.created_by', '=', scope.userId);
  }
}
