import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { mine } from './archive-store.ts';

export interface DeletedCameraRow {
  readonly id: string;
  readonly name: string;
  readonly location: string;
  readonly deleted_at: Date;
  readonly recordings: number;
  readonly started_at: Date;
  readonly ended_at: Date;
}

/** SQL of cameras that are deleted while recordings of them are kept. */
export class DeletedStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The last deleted first. What is still written of one reaches up to its beginning. */
  async list(scope: Scope): Promise<DeletedCameraRow[]> {
    const { rows } = await sql<DeletedCameraRow>`
      select camera.id, camera.name, camera.location, camera.deleted_at,
             (select count(*) from recording where recording.camera_id = camera.id) as recordings,
             first.started_at, last.ended_at
        from cameras_v_camera camera
        cross join lateral (
          select part.started_at from recording_segment part
           where part.camera_id = camera.id order by part.started_at limit 1) first
        cross join lateral (
          select coalesce(part.ended_at, part.started_at) as ended_at from recording_segment part
           where part.camera_id = camera.id order by part.started_at desc limit 1) last
       where camera.deleted_at is not null and ${mine(scope)}
       order by camera.deleted_at desc, camera.id`.execute(this.#db.read());
    return rows;
  }
}
