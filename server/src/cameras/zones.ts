/**
 * Privacy masks, recognition zones and motion zones of cameras, and the one check that guards every route that
 * sends out a camera's video: whether the caller may see what its masks hide.
 */
import { quarterTurns, type Polygon, type QuarterTurn } from '@nazar/contract/polygon.ts';
import type { Zone, ZoneFields, ZoneKind } from '@nazar/contract/zones.ts';
import type { Activity, Details } from '#activity/activity.ts';
import type { Tx } from '#db/database.ts';
import { holds, type OwnedCamera, type Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type { Alignments, PairHistory } from './alignments.ts';
import { openTurns, placesOf, turnsWith, type CameraTurns } from './turned-zones.ts';
import type { PicturedCamera, ZoneRow, ZoneStore } from './zone-store.ts';

export interface ZonesOptions {
  readonly store: ZoneStore;
  readonly activity: Activity;
  readonly clock: Clock;
  readonly alignments: Pick<Alignments, 'ofCamera'>;
  /** Throws camera_not_found. */
  readonly cameraOf: (scope: Scope, id: string) => Promise<{ readonly id: string }>;
  readonly changed: (cameraId: string) => void;
}

/** A place where a zone may be. */
export interface PlacedZone {
  readonly kind: ZoneKind;
  readonly points: Polygon;
}

/** Drawn on the camera's main picture. `rotation`: the rotation of the picture on which they are drawn. */
export interface CameraMasks {
  readonly polygons: readonly Polygon[];
  readonly rotation: 0 | 90 | 180 | 270;
  /** The parts of that picture that its sub-streams showed, for their recordings: all ever known, the oldest first. */
  readonly alignments: readonly PairHistory[];
  /** Recordings that do not say which stream they are from may be from a sub-stream. */
  readonly hadSubStream: boolean;
  /** How the camera was turned since: past pictures may show the current places elsewhere. */
  readonly turned: CameraTurns;
}

/** Without the fields that only recordings need. */
export type HidingMasks = Omit<CameraMasks, 'alignments'>;

export interface MaskedCamera {
  readonly camera: OwnedCamera;
  readonly masks: HidingMasks;
}

export class Zones {
  readonly #options: ZonesOptions;

  constructor(options: ZonesOptions) {
    this.#options = options;
  }

  /** Throws camera_not_found. */
  async list(scope: Scope, cameraId: string): Promise<Zone[]> {
    const { store, cameraOf } = this.#options;
    const { id } = await cameraOf(scope, cameraId);
    return (await store.list(id)).map(asZone);
  }

  /**
   * The zones of every camera in each place where they may be, for code that decodes its frames; no scope: no
   * user requests it.
   */
  async byCamera(): Promise<Map<string, PlacedZone[]>> {
    const rows = await this.#options.store.list();
    const byCamera = Map.groupBy(rows, ({ camera_id }) => camera_id);
    return new Map([...byCamera].map(([id, ofOne]) => [id, ofOne.flatMap(placedZones)]));
  }

  /** Called in the transaction that changes the rotation, before the change. */
  async turn(tx: Tx, cameraId: string, rotation: QuarterTurn): Promise<void> {
    const { store } = this.#options;
    const before = await store.locked(tx, cameraId);
    if (!before || before.rotation === rotation) return;
    const { ofZones, ofPast } = openTurns(before.rotation, rotation);
    await store.turnZones(tx, cameraId, ofZones);
    const turned_by = turnsWith(before.turned_by, ofPast);
    await store.setTurned(tx, cameraId, { turned_by, turned_until: null });
  }

  /** Which of these cameras were turned since their zones were saved. The caller checks who may see a camera. */
  async turnedAmong(cameraIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (cameraIds.length === 0) return new Set();
    return new Set(await this.#options.store.turnedAmong(cameraIds));
  }

  /** The privacy masks of a camera as they are drawn now, for code that burns them into its recordings. */
  async masksOf(cameraId: string): Promise<CameraMasks> {
    const { store, alignments } = this.#options;
    // In this order: if the camera is turned in between, the masks cover more places and not fewer.
    const pictured = await store.pictured(cameraId);
    const rows = await store.list(cameraId);
    const masks = rows.filter(({ kind }) => kind === 'privacy');
    return {
      polygons: masks.flatMap(placesOf),
      rotation: pictured?.rotation ?? 0,
      alignments: await alignments.ofCamera(cameraId),
      hadSubStream: pictured?.had_sub_stream ?? true,
      turned: turnsOf(pictured),
    };
  }

  /**
   * The masks of these cameras, or of all, that hide something from the caller: without those of cameras that the
   * caller may see unmasked.
   */
  async hiddenFrom(
    scope: Scope,
    cameraIds?: readonly string[],
  ): Promise<ReadonlyMap<string, HidingMasks>> {
    if (scope.seesAll) return new Map();
    const masked = await this.maskedCameras(cameraIds);
    const hidden = [...masked].filter(([, { camera }]) => !holds(scope, camera, 'unmasked'));
    return new Map(hidden.map(([id, { masks }]) => [id, masks]));
  }

  /** The masks of these cameras, or of all, for code that itself decides which users they hide something from. */
  async maskedCameras(cameraIds?: readonly string[]): Promise<ReadonlyMap<string, MaskedCamera>> {
    const rows = await this.#options.store.masks(cameraIds);
    const byCamera = Map.groupBy(rows, ({ camera_id }) => camera_id);
    return new Map(
      [...byCamera].map(([id, masks]) => {
        const { rotation, had_sub_stream: hadSubStream, created_by } = masks[0]!;
        const turned = turnsOf(masks[0]!);
        const polygons = masks.flatMap(placesOf);
        const camera = { id, created_by };
        return [id, { camera, masks: { polygons, rotation, hadSubStream, turned } }];
      }),
    );
  }

  /**
   * These zones apply from now on. `editedRotation`: the rotation of the picture on which the user edited them;
   * absent: the current one. Throws camera_not_found, camera_changed.
   */
  async replace(
    scope: Scope,
    cameraId: string,
    zones: readonly ZoneFields[],
    editedRotation?: QuarterTurn,
  ): Promise<Zone[]> {
    const { store, activity, clock, cameraOf, changed } = this.#options;
    const { id } = await cameraOf(scope, cameraId);
    const rows = zones.map(({ kind, name, points }, place): ZoneRow => {
      const corners = points.map(([x, y]): [number, number] => [x, y]);
      return {
        id: uuidv7(clock.now()),
        camera_id: id,
        kind,
        name,
        points: corners,
        place,
        turns: [0],
      };
    });
    await store.transaction(async (tx) => {
      const camera = await store.locked(tx, id);
      if (editedRotation !== undefined && editedRotation !== camera?.rotation)
        throw new Problem('camera_changed');
      if (camera && camera.turned_by.length > 1 && camera.turned_until === null) {
        await store.setTurned(tx, id, { turned_until: new Date(clock.now()) });
      }
      const before = await store.replace(tx, id, rows);
      const object = { type: 'camera', id } as const;
      const details = recordOf(countByKind(before), countByKind(rows));
      await activity.record(tx, { actor: scope, action: 'camera.zones_changed', object, details });
    });
    changed(id);
    return rows.map(asZone);
  }

  /**
   * Whether the caller may have the video of a camera as it sent it. Every route that sends out bytes
   * without decoding them calls this; only `true` allows it. A mask also covers what was recorded before it was drawn.
   */
  async maySeeUnmasked(scope: Scope, cameraId: string): Promise<boolean> {
    const camera = await this.#options.store.masked(cameraId);
    if (!camera) return false;
    return !camera.has_masks || holds(scope, camera, 'unmasked');
  }

  /** Throws camera_masked. */
  async mustSeeUnmasked(scope: Scope, cameraId: string): Promise<void> {
    if (!(await this.maySeeUnmasked(scope, cameraId))) throw new Problem('camera_masked');
  }
}

function asZone({ id, kind, name, points, turns }: ZoneRow): Zone {
  return { id, kind, name, points, turns };
}

const turnsOf = (
  camera: Pick<PicturedCamera, 'turned_by' | 'turned_until'> | null,
): CameraTurns => ({
  by: camera?.turned_by ?? quarterTurns,
  untilMs: camera?.turned_until?.getTime() ?? null,
});

const placedZones = ({ kind, ...row }: ZoneRow): PlacedZone[] =>
  placesOf(row).map((points) => ({ kind, points }));

type KindCounts = Readonly<Record<ZoneKind, number>>;

function countByKind(rows: readonly Pick<ZoneRow, 'kind'>[]): KindCounts {
  const counts = { privacy: 0, recognition: 0, motion: 0 };
  for (const { kind } of rows) counts[kind] += 1;
  return counts;
}

/** The number of zones of each kind, and the kinds whose number changed, with the earlier one. */
function recordOf(before: KindCounts, after: KindCounts): Details {
  const kinds = (Object.keys(after) as ZoneKind[]).filter((kind) => before[kind] !== after[kind]);
  const changes = kinds.map((kind) => [kind, { from: before[kind], to: after[kind] }]);
  return { ...after, ...(kinds.length > 0 && { changes: Object.fromEntries(changes) as Details }) };
}
