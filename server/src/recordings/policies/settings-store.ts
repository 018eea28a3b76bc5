import type { RecordingSchedule } from '@nazar/contract/recording-plans.ts';
import type { RecordingQuality } from '@nazar/contract/recording-qualities.ts';
import type { Database, Tx } from '#db/database.ts';

export interface SettingsRow {
  readonly camera_id: string;
  readonly continuous: boolean;
  readonly motion: boolean;
  readonly schedule: RecordingSchedule | null;
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
}

export const usualSettings = (cameraId: string): SettingsRow => ({
  camera_id: cameraId,
  continuous: false,
  motion: false,
  schedule: null,
  root_id: null,
  folder: null,
  retention_days: 30,
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

  all(): Promise<SettingsRow[]> {
    return this.#db.read<Tables>().selectFrom('recording_settings').selectAll().execute();
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
