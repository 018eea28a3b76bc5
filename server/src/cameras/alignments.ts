/**
 * The part of each camera's main picture, on which zones are drawn, that its sub-stream shows: measured by a media
 * host, or confirmed by a user who compared both. It is known for one pair of streams (their addresses and sizes) only.
 */
import type { Activity } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { isWithinShare, type Rect } from '#lib/geometry.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { AlignmentRow, AlignmentStore, ListedAlignment } from './alignment-store.ts';

/** The part is in fractions of the main picture as the camera sends it, before it is turned. */
export interface CameraAlignment {
  readonly pair: string;
  readonly part: Rect;
  readonly isConfirmed: boolean;
}

/** `part` null: the alignment of that pair was deleted, and none was measured since. */
export type PairHistory = Pick<CameraAlignment, 'pair'> & { readonly part: Rect | null };

/** The alignment of a pair, since when it holds, and the user who confirmed it. */
export interface KnownAlignment extends CameraAlignment {
  readonly alignedAt: Date;
  readonly confirmedBy: { readonly id: string; readonly email: string } | null;
}

export interface AlignmentsOptions {
  readonly store: AlignmentStore;
  readonly activity: Pick<Activity, 'record'>;
  readonly clock: Clock;
  /** Throws camera_not_found. */
  readonly cameraOf: (scope: Scope, id: string) => Promise<{ readonly id: string }>;
  readonly changed: (cameraId: string) => void;
}

/** A part whose edges differ by less than this share of its own sides is the same: measurements agree this closely. */
const sameWithin = 0.01;

export class Alignments {
  readonly #options: AlignmentsOptions;

  constructor(options: AlignmentsOptions) {
    this.#options = options;
  }

  /** The current alignment of each pair of each camera's streams, for the ingest; no scope: no user requests it. */
  async byCamera(): Promise<Map<string, CameraAlignment[]>> {
    const rows = await this.#options.store.list();
    const byCamera = Map.groupBy(rows, ({ camera_id }) => camera_id);
    return new Map([...byCamera].map(([id, ofOne]) => [id, newest(ofOne).flatMap(asAlignment)]));
  }

  /** All alignments that a camera's streams ever had, the oldest first, for their recordings. */
  async ofCamera(cameraId: string): Promise<PairHistory[]> {
    const rows = await this.#options.store.list(cameraId);
    return rows.map((row) => ({ pair: row.pair, part: partOf(row) }));
  }

  /** The current alignments of the pairs that a camera's present addresses ever had, the newest first. */
  async known(cameraId: string): Promise<KnownAlignment[]> {
    const { store } = this.#options;
    const [streamsId, rows] = [await store.streamsId(cameraId), await store.list(cameraId)];
    const present = rows.filter(({ pair }) => streamsId !== null && pair.startsWith(streamsId));
    const ofEach = newest(present).toSorted((a, b) => +b.aligned_at - +a.aligned_at);
    return ofEach.flatMap((row) =>
      asAlignment(row).map((alignment) => ({
        ...alignment,
        alignedAt: row.aligned_at,
        confirmedBy:
          row.confirmed_by === null || row.email === null
            ? null
            : { id: row.confirmed_by, email: row.email },
      })),
    );
  }

  /** Stores what a host measured. What a user confirmed for the same pair stays. */
  async measured(cameraId: string, { pair, part }: CameraAlignment): Promise<void> {
    const { store, clock, changed } = this.#options;
    if ((await store.streamsId(cameraId)) === null) return;
    const known = newest(await store.list(cameraId)).find((row) => row.pair === pair);
    const knownPart = known ? partOf(known) : null;
    if (knownPart && (known?.is_confirmed || isWithinShare(knownPart, part, sameWithin))) return;
    const row = { ...rowOf(clock, cameraId, pair, part), is_confirmed: false, confirmed_by: null };
    await store.transaction((tx) => store.add(tx, row));
    changed(cameraId);
  }

  /** A user compared both pictures and states which part the sub-stream shows. Throws camera_not_found. */
  async confirm(scope: Scope, cameraId: string, pair: string, part: Rect): Promise<void> {
    await this.#say(scope, cameraId, pair, part);
  }

  /** Deletes the alignment of that pair until it is measured again. Throws camera_not_found. */
  async forget(scope: Scope, cameraId: string, pair: string): Promise<void> {
    await this.#say(scope, cameraId, pair, null);
  }

  async #say(scope: Scope, cameraId: string, pair: string, part: Rect | null): Promise<void> {
    const { store, activity, clock, cameraOf, changed } = this.#options;
    const { id } = await cameraOf(scope, cameraId);
    const said = rowOf(clock, id, pair, part);
    const row = { ...said, is_confirmed: part !== null, confirmed_by: scope.userId };
    await store.transaction(async (tx) => {
      await store.add(tx, row);
      const object = { type: 'camera', id } as const;
      const actor = scope;
      if (part === null) {
        await activity.record(tx, { actor, action: 'camera.alignment_forgotten', object });
      } else {
        const details = rounded(part);
        await activity.record(tx, { actor, action: 'camera.alignment_confirmed', object, details });
      }
    });
    changed(id);
  }
}

type SaidRow = Omit<AlignmentRow, 'is_confirmed' | 'confirmed_by'>;

function rowOf(clock: Clock, cameraId: string, pair: string, part: Rect | null): SaidRow {
  const place = part ? rounded(part) : { x: null, y: null, width: null, height: null };
  const nowMs = clock.now();
  const [id, aligned_at] = [uuidv7(nowMs), new Date(nowMs)];
  return { id, camera_id: cameraId, pair, ...place, aligned_at };
}

/** The newest row of each pair; the rows are passed the oldest first. */
const newest = (rows: readonly ListedAlignment[]): ListedAlignment[] => [
  ...new Map(rows.map((row) => [row.pair, row])).values(),
];

function partOf({ x, y, width, height }: AlignmentRow): Rect | null {
  const isForgotten = x === null || y === null || width === null || height === null;
  return isForgotten ? null : { x, y, width, height };
}

function asAlignment(row: ListedAlignment): CameraAlignment[] {
  const part = partOf(row);
  return part ? [{ pair: row.pair, part, isConfirmed: row.is_confirmed }] : [];
}

/** A ten-thousandth of the picture is a fifth of a pixel. */
const round = (value: number): number => Math.round(value * 10_000) / 10_000;

function rounded({ x, y, width, height }: Rect): Rect & Readonly<Record<string, number>> {
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}
