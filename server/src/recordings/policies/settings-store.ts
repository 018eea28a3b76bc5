import type { WeekSchedule } from '@nazar/contract/week-schedule.ts';
import type { RecordingQuality } from '@nazar/contract/recording-qualities.ts';
import { usualRetentionDays } from '@nazar/contract/recording-states.ts';
import type { Database, Tx } from '#db/database.ts';

export interface SettingsRow {
  readonly camera_id: string;
  readonly continuous: boolean;
  readonly motion: boolean;
  readonly schedule: WeekSchedule | null;
  readonly root_id: string | null;
  readonly folder: string | null;
  readonly retention_days: number;
  readonly quality: RecordingQuality;
  readonly manual_since: Date | null;
  /** A test recording runs until then. */
  readonly test_until: Date | null;
}

interface Tables {
  recording_settings: SettingsRow & { readonly updated_at: Date };
  cameras_v_camera: { readonly id: string; readonly deleted_at: Date | null };
}

/** A new camera is recorded when something moves, as the documents state. */
export const usualSettings = (cameraId: string): SettingsRow => ({
  camera_id: cameraId,
  continuous: false,
  motion: true,
  schedule: null,
  root_id: null,
  folder: null,
  retention_days: usualRetentionDays,
  quality: 'ultra',
  manual_since: null,
  test_until: null,
});

/** SQL of recording settings; a camera without a row has the defaults. */
export class SettingsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** Returns the settings of every camera that is not deleted. */
  async all(): Promise<SettingsRow[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('cameras_v_camera as camera')
      .leftJoin('recording_settings as settings', 'settings.camera_id', 'camera.id')
      .where('camera.deleted_at', 'is', null)
      .selectAll('settings')
      .select('camera.id')
      .execute();
    return rows.map(({ id, ...row }) =>
      row.camera_id === null ? usualSettings(id) : (row as SettingsRow),
    );
  }

  async of(cameraId: string): Promise<SettingsRow> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('recording_settings')
      .selectAll()
      .where('camera_id', '=', cameraId)
      .executeTakeFirst();
    return row ?? usualSettings(cameraId);
  }

  /** Returns the settings as they are now and keeps others from changing them before this transaction ends. */
  async hold(tx: Tx, cameraId: string, now: Date): Promise<SettingsRow> {
    await tx
      .as<Tables>()
      .insertInto('recording_settings')
      .values({ ...usualSettings(cameraId), updated_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return tx
      .as<Tables>()
      .selectFrom('recording_settings')
      .selectAll()
      .where('camera_id', '=', cameraId)
      .forUpdate()
      .executeTakeFirstOrThrow();
  }

  async change(
    tx: Tx,
    cameraId: string,
    change: Partial<Omit<SettingsRow, 'camera_id'>>,
    now: Date,
  ): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('recording_settings')
      .set({ ...change, updated_at: now })
      .where('camera_id', '=', cameraId)
      .execute();
  }
}
