import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import { bitsOf, type Cells } from '#media/protocol/motion-grid.ts';
import { runningSince, type IndexTables } from '../index/index-store.ts';

/** Which cells of a grid are searched, by how much the recorded picture is turned clockwise. */
export type CellsByRotation = Readonly<Record<0 | 90 | 180 | 270, Cells>>;

export interface EarlierCells {
  readonly until: Date;
  readonly cells: CellsByRotation;
}

/** Which cells are searched in what began at a time. */
export type SearchedCells = Pick<ShownMotion, 'cells' | 'earlier'>;

export const cellsAt = ({ cells, earlier }: SearchedCells, at: Date): CellsByRotation =>
  earlier && at < earlier.until ? earlier.cells : cells;

/** The motion of a camera with masks that may be shown. */
export interface ShownMotion {
  /** Cells of the main picture: those of a picture whose place on it was not known may lie behind a mask. */
  readonly cells: CellsByRotation;
  /** Cells for what began before `until`, where the camera was turned before that time. */
  readonly earlier: EarlierCells | null;
  /** Whether a grid from before it was written down of which picture it is, is of the main picture. */
  readonly oldIsMain: boolean;
}

/** A segment in which something moved in one of those cells. */
export interface MovedSegment {
  readonly started_at: Date;
  readonly rotation: 0 | 90 | 180 | 270;
  readonly grid: Buffer;
}

interface Page {
  readonly after: Date | null;
  readonly limit: number;
  readonly oldIsMain: boolean | null;
}

/** SQL of where something moved at a camera, for a user who may see its recordings. */
export class MotionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Returns at most so many segments that reach into that time, in its order; `after`: that began later; `oldIsMain`:
   * only those with cells of the main picture, grids of before counting so or not; null: of whatever picture. The index
   * alone says which: only those are read whose cells are among the ones asked for.
   */
  async moved(
    cameraId: string,
    { from, until }: { from: Date; until: Date },
    searched: SearchedCells,
    { after, limit, oldIsMain }: Page,
  ): Promise<MovedSegment[]> {
    const since = await runningSince(this.#db.read<IndexTables>(), [cameraId], from);
    const { rows } = await sql<MovedSegment>`
      with hit as materialized (
        select segment_id, started_at from recording_motion
         where camera_id = ${cameraId}
           and ${after ? sql`started_at > ${after}` : sql`started_at >= ${since}`}
           and started_at < ${until}
           and ${oldIsMain === null ? sql`true` : sql`coalesce(of_main, ${oldIsMain}::boolean)`}
           and (cells & ${bitsAt(searched)}) <> ${noCellBits}
         order by started_at limit ${limit}
      )
      select hit.started_at, motion.rotation, motion.grid
        from hit join recording_motion motion using (segment_id)
       order by hit.started_at`.execute(this.#db.read());
    return rows;
  }

  /** Whether the pictures of anything in that time were compared. */
  async isCompared(
    cameraId: string,
    { from, until }: { from: Date; until: Date },
  ): Promise<boolean> {
    const since = await runningSince(this.#db.read<IndexTables>(), [cameraId], from);
    const { rows } = await sql`
      select from recording_motion
       where camera_id = ${cameraId} and started_at < ${until} and started_at >= ${since}
       limit 1`.execute(this.#db.read());
    return rows.length > 0;
  }
}

/**
 * The cameras whose motion shows in some cells only, as a list of rows `(camera_id, rotation, old_is_main, since, until,
 * bits)`: joined with recording_motion by `shownIn`, in which `cells & bits` is what may be shown.
 */
export function shownRows(shown: ReadonlyMap<string, ShownMotion>): RawBuilder<unknown> {
  const rows = [...shown].flatMap(([cameraId, { cells, earlier, oldIsMain }]) =>
    [
      { cells, since: earlier?.until ?? '-infinity', until: 'infinity' },
      ...(earlier ? [{ cells: earlier.cells, since: '-infinity', until: earlier.until }] : []),
    ].flatMap(({ cells: ofTime, ...time }) =>
      rotations.map((rotation) => {
        const bits = bitsOf(ofTime[rotation]);
        return { cameraId, rotation, oldIsMain, ...time, bits };
      }),
    ),
  );
  return sql`
    select camera_id, rotation, old_is_main, since, until, bits::bit(144) as bits
      from unnest(${rows.map(({ cameraId }) => cameraId)}::uuid[],
        ${rows.map(({ rotation }) => rotation)}::smallint[],
        ${rows.map((row) => row.oldIsMain)}::boolean[],
        ${rows.map(({ since }) => since)}::timestamptz[],
        ${rows.map(({ until }) => until)}::timestamptz[],
        ${rows.map(({ bits }) => bits)}::text[])
        as given (camera_id, rotation, old_is_main, since, until, bits)`;
}

/** Whether a row of `motion`, recording_motion, is one that a row of `shown` is about. */
export const shownIn = sql`(
  (shown.camera_id, shown.rotation) = (motion.camera_id, motion.rotation)
  and motion.started_at >= shown.since and motion.started_at < shown.until
  and coalesce(motion.of_main, shown.old_is_main))`;

/** Bits that hold nothing. */
export const noCellBits = sql`${'0'.repeat(144)}::bit(144)`;

const rotations = [0, 90, 180, 270] as const;

function bitsAt({ cells, earlier }: SearchedCells): RawBuilder<unknown> {
  if (!earlier) return ofRotation(cells);
  return sql`case when started_at < ${earlier.until} then ${ofRotation(earlier.cells)}
    else ${ofRotation(cells)} end`;
}

function ofRotation(cells: CellsByRotation): RawBuilder<unknown> {
  const [upright, right, over, left] = rotations.map((rotation) => bitsOf(cells[rotation]));
  const isOne = new Set([upright, right, over, left]).size === 1;
  if (isOne) return sql`${upright}::bit(144)`;
  return sql`case rotation when 0 then ${upright}::bit(144) when 90 then ${right}::bit(144)
    when 180 then ${over}::bit(144) else ${left}::bit(144) end`;
}
