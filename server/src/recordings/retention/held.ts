/** Which recordings are evidence, in SQL: what a hold keeps from being removed, and what lists say of it. */
import { sql } from 'kysely';

/** A row of `recording_segment` that may be removed; one that is still written may not, whatever this says. */
export const isNotHeld = sql<boolean>`not exists (
  select from recording_hold hold
   where hold.camera_id = recording_segment.camera_id
     and hold.started_at < recording_segment.ended_at
     and hold.ended_at > recording_segment.started_at)`;

/**
 * A row of `recording` of which a hold covers a moment that is recorded, or being recorded. It goes from the few holds
 * of the camera to their segments, not from each of hundreds of segments to the holds.
 */
export const isHeld = sql<boolean>`exists (
  select from recording_hold hold
   where hold.camera_id = recording.camera_id
     and hold.ended_at > recording.started_at
     and exists (
       select from recording_segment part
        where part.recording_id = recording.id
          and part.started_at < hold.ended_at
          and coalesce(part.ended_at, 'infinity') > hold.started_at))`;
