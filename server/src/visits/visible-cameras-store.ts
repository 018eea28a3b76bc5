/** SQL of whose cameras a reader may see, for everything that lists or counts visits. */
import { sql, type RawBuilder } from 'kysely';
import { ownOrListed } from '#db/own-or-listed.ts';
import { granted, type Scope } from '#http/scope.ts';

/** Whether this reader may see what `camera_id` of a row counts; reads no cameras if the reader sees all of them. */
export function isCounted(scope: Scope, cameraId: string | null): RawBuilder<boolean> {
  if (scope.seesAll) return cameraId === null ? sql`true` : sql`camera_id = ${cameraId}`;
  return sql`camera_id = any(array(
    select camera.id from cameras_v_camera camera where ${atVisibleCameras(scope, cameraId)}))`;
}

/** Where `camera` is a row of cameras_v_camera. */
export function atVisibleCameras(scope: Scope, cameraId: string | null): RawBuilder<boolean> {
  const isIt = cameraId === null ? sql<boolean>`true` : sql<boolean>`camera.id = ${cameraId}`;
  if (scope.seesAll) return isIt;
  const columns = { owner: 'camera.created_by', id: 'camera.id' };
  return sql`(${isIt} and ${ownOrListed(scope.userId, granted(scope, 'live'), columns)})`;
}
