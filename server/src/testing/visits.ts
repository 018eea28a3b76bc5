/** A camera of its own, and what is decided about faces at it, written to the real log. */
import type { FaceLog } from '@nazar/contract/sightings.ts';
import type { Scope } from '#http/scope.ts';
import { Visits, type TrackDecision, type VisitsOptions } from '#sightings/visits.ts';
import { aPicture, quietLog, type World } from './world.ts';

let tracks = 0;

export interface VisitPlaceOptions {
  /** Another camera than one of its own. */
  readonly cameraId?: string;
  /** What a test puts in front of the log. */
  readonly edge?: Partial<VisitsOptions['sightings']>;
  readonly keepsStrangers?: VisitsOptions['keepsStrangers'];
  readonly attributesOf?: VisitsOptions['attributesOf'];
}

export interface VisitPlace {
  readonly cameraId: string;
  readonly visits: Visits;
  /** Returns the track; an unknown face seen for half a second until now, unless the test says otherwise. */
  readonly decide: (more?: Partial<TrackDecision>) => string;
  readonly rows: () => Promise<FaceLog[]>;
}

export async function aVisitPlace(
  world: World,
  admin: Scope,
  { edge, keepsStrangers, attributesOf, ...given }: VisitPlaceOptions = {},
): Promise<VisitPlace> {
  const cameraId = given.cameraId ?? (await world.camera(admin));
  const { clock, sightings } = world;
  const through: VisitsOptions['sightings'] = {
    record: (visit) => sightings.record(visit),
    extend: (...words) => sightings.extend(...words),
    beginNext: (...words) => sightings.beginNext(...words),
    reassign: (...words) => sightings.reassign(...words),
    withdraw: (visit) => sightings.withdraw(visit),
    newVisitId: () => sightings.newVisitId(),
    personOf: (id: string) => sightings.personOf(id),
    ...edge,
  };
  const visits = new Visits({
    sightings: through,
    changed: world.faces.changed,
    keepsStrangers: keepsStrangers ?? (async () => true),
    attributesOf: attributesOf ?? (async () => null),
    clock,
    log: quietLog,
  });
  const decide: VisitPlace['decide'] = (more = {}) => {
    const track = more.track ?? `track-${(tracks += 1)}`;
    const nowMs = clock.now();
    visits.decided({
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
  const rows: VisitPlace['rows'] = async () => {
    const query = { camera_id: cameraId, page: 1, limit: 100 };
    return (await sightings.list(admin, query)).results;
  };
  return { cameraId, visits, decide, rows };
}
