/** A camera of its own, and what is decided about faces at it, written to the real log. */
import type { Visit } from '@nazar/contract/visits.ts';
import type { Scope } from '#http/scope.ts';
import {
  TrackedVisits,
  type TrackDecision,
  type TrackedVisitsOptions,
} from '#visits/tracked-visits.ts';
import { aPicture, quietLog, type World } from './world.ts';

let tracks = 0;

export interface TrackedCameraOptions {
  /** Another camera than one of its own. */
  readonly cameraId?: string;
  /** What a test puts in front of the log. */
  readonly edge?: Partial<TrackedVisitsOptions['visits']>;
  readonly keepsStrangers?: TrackedVisitsOptions['keepsStrangers'];
  readonly attributesOf?: TrackedVisitsOptions['attributesOf'];
}

export interface TrackedCamera {
  readonly cameraId: string;
  readonly trackedVisits: TrackedVisits;
  /** Returns the track; an unknown face seen for half a second until now, unless the test says otherwise. */
  readonly decide: (more?: Partial<TrackDecision>) => string;
  readonly rows: () => Promise<Visit[]>;
}

export async function aTrackedCamera(
  world: World,
  admin: Scope,
  { edge, keepsStrangers, attributesOf, ...given }: TrackedCameraOptions = {},
): Promise<TrackedCamera> {
  const cameraId = given.cameraId ?? (await world.camera(admin));
  const { clock, visits } = world;
  const through: TrackedVisitsOptions['visits'] = {
    write: (visit) => visits.write(visit),
    extend: (...words) => visits.extend(...words),
    beginNext: (...words) => visits.beginNext(...words),
    reassign: (...words) => visits.reassign(...words),
    withdraw: (visit) => visits.withdraw(visit),
    newVisitId: () => visits.newVisitId(),
    personOf: (id: string) => visits.personOf(id),
    ...edge,
  };
  const trackedVisits = new TrackedVisits({
    visits: through,
    changed: world.faces.changed,
    keepsStrangers: keepsStrangers ?? (async () => true),
    attributesOf: attributesOf ?? (async () => null),
    clock,
    log: quietLog,
  });
  const decide: TrackedCamera['decide'] = (more = {}) => {
    const track = more.track ?? `track-${(tracks += 1)}`;
    const nowMs = clock.now();
    trackedVisits.decided({
      track,
      cameraId,
      identityId: null,
      confidence: 0.8,
      startedAtMs: nowMs - 500,
      seenAtMs: nowMs,
      picture: aPicture(1, 0.5),
      ended: false,
      ...more,
    });
    return track;
  };
  const rows: TrackedCamera['rows'] = async () => {
    const query = { camera_id: cameraId, page: 1, limit: 100 };
    return (await visits.list(admin, query)).results;
  };
  return { cameraId, trackedVisits, decide, rows };
}
