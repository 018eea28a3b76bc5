/** Visits as the API answers them: whose name this reader may read, and which ids lead anywhere. */
import type { FaceAttributes } from '@nazar/contract/attributes.ts';
import { erasedName, hiddenName, unknownName } from '@nazar/contract/names.ts';
import type { Detection, Visit } from '@nazar/contract/visits.ts';
import { holds, mayOpenPerson, type Scope } from '#http/scope.ts';
import type { DetectedVisit, ListedVisit } from './lists/listed-visit-store.ts';

function nameOf(row: DetectedVisit): string {
  if (!row.is_known) return unknownName;
  if (!row.may_name) return hiddenName;
  return row.person_id === null ? erasedName : (row.person_name ?? unknownName);
}

export const imageOf = (id: string): string => `/secure-api/activity-log/face-logs/${id}/image/`;

/** The attributes of the faces, by the ids of their visits. */
export type AttributesOf = ReadonlyMap<string, FaceAttributes>;

export function asVisit(scope: Scope, row: ListedVisit, attributesOf: AttributesOf): Visit {
  // The right to read a name is not the right to open the person: an id that leads nowhere is left out.
  const mayOpen = mayOpenPerson(scope, row.person_added_by);
  const camera = { id: row.camera_id, created_by: row.camera_added_by };
  const mayPlay = holds(scope, camera, 'recordings');
  return {
    id: row.id,
    person_name: nameOf(row),
    person_id: mayOpen ? row.person_id : null,
    camera_id: row.camera_id,
    camera_name: row.camera_name,
    timestamp: row.started_at.toISOString(),
    ended_at: row.ended_at.toISOString(),
    confidence: row.confidence,
    is_recognized: row.is_known,
    face_image_url: row.picture === 'shown' ? imageOf(row.id) : null,
    picture_hidden: row.picture === 'hidden',
    location: row.location,
    is_corrected: row.is_corrected,
    attributes: attributesOf.get(row.id) ?? null,
    may_play: mayPlay,
    recorded_at: mayPlay ? (row.recorded_at?.toISOString() ?? null) : null,
  };
}

export function asDetection(row: DetectedVisit): Detection {
  return {
    id: row.id,
    image: row.picture === 'shown' ? imageOf(row.id) : null,
    picture_hidden: row.picture === 'hidden',
    face_name: nameOf(row),
    camera_name: row.camera_name,
    camera_id: row.camera_id,
    timestamp: row.started_at.toISOString(),
    confidence: row.confidence,
    is_recognized: row.is_known,
  };
}
