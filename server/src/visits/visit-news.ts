/**
 * Visits as events: read once for all readers, and answered to each reader as the lists answer them. Whether a reader
 * sees the camera, may read the name and gets the picture is decided here by the functions that the whole API uses,
 * from what was read with the visit: no reader costs a database query.
 */
import type { Detection } from '@nazar/contract/visits.ts';
import { holds, mayReadName, type OwnedCamera, type Scope } from '#http/scope.ts';
import { asDetection } from './answers.ts';
import type { HiddenPictures, IsHidden } from './hidden-pictures.ts';
import type { SharedVisit } from './lists/listed-visit-store.ts';
import type { SharedVisitStore } from './lists/shared-visit-store.ts';

/** A visit that was written, changed or taken out of the lists. */
export interface ChangedVisit {
  readonly visitId: string;
  readonly cameraId: string;
  readonly startedAtMs: number;
}

export interface VisitNewsParts {
  readonly store: SharedVisitStore;
  readonly hidden: HiddenPictures;
  /** Owners of cameras that are there. */
  readonly ownersOf: (cameraIds: readonly string[]) => Promise<readonly OwnedCamera[]>;
}

/** What is sent to one reader. */
export interface SentVisits {
  readonly seen: Detection[];
  /** Visits at cameras that they may see which no list has any more. */
  readonly gone: string[];
}

export class VisitNews {
  readonly #parts: VisitNewsParts;

  constructor(parts: VisitNewsParts) {
    this.#parts = parts;
  }

  /** In the order of these visits. */
  async read(visits: readonly ChangedVisit[]): Promise<(scope: Scope) => SentVisits> {
    const { store, hidden, ownersOf } = this.#parts;
    const asked = visits.map(({ visitId: id, startedAtMs }) => ({
      id,
      started_at: new Date(startedAtMs),
    }));
    const read = new Map((await store.read(asked)).map((row) => [row.id, row]));
    const rows = visits.flatMap(({ visitId }) => read.get(visitId) ?? []);
    const missing = visits.filter(({ visitId }) => !read.has(visitId));
    const hiddenFrom = await hidden.fromEach(rows);
    const cameraIds = [...new Set(missing.map(({ cameraId }) => cameraId))];
    const owned = cameraIds.length === 0 ? [] : await ownersOf(cameraIds);
    const cameras = new Map(owned.map((camera) => [camera.id, camera]));
    return (scope) => {
      const isHidden = hiddenFrom(scope);
      const sees = (camera: OwnedCamera | undefined): boolean =>
        camera !== undefined && holds(scope, camera, 'live');
      return {
        seen: rows
          .filter((row) => sees(cameraOf(row)))
          .map((row) => asDetection(forReader(scope, row, isHidden))),
        gone: missing
          .filter(({ cameraId }) => sees(cameras.get(cameraId)))
          .map(({ visitId }) => visitId),
      };
    };
  }
}

const cameraOf = (row: SharedVisit): OwnedCamera => ({
  id: row.camera_id,
  created_by: row.camera_added_by,
});

function forReader(scope: Scope, row: SharedVisit, isHidden: IsHidden) {
  const person = { addedBy: row.person_added_by, categoryId: row.category_id };
  const may_name = mayReadName(scope, row.camera_id, person);
  const picture = !row.has_picture ? 'none' : isHidden(row) ? 'hidden' : 'shown';
  return { ...row, may_name, picture } as const;
}
