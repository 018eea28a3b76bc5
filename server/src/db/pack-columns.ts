/**
 * Rows with a vector of the pack they were made with and, while models change, a vector of another pack beside it:
 * `pack_id`, `pack_version`, `vector`, `other_pack`, `other_vector`. Several modules have such tables and
 * query and change them in the same way. Packs are named `id@version`.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from './database.ts';

/** The columns of such a row that describe its vectors. */
export interface PackColumns {
  readonly pack_id: string;
  readonly pack_version: string;
  readonly vector: Buffer;
  readonly other_pack: string | null;
  /** Null with a pack named: that pack finds no face here. */
  readonly other_vector: Buffer | null;
}

/** The columns to select. */
export const packColumns = [
  'pack_id',
  'pack_version',
  'vector',
  'other_pack',
  'other_vector',
] as const satisfies (keyof PackColumns)[];

export const noOtherPack = { other_pack: null, other_vector: null } as const;

/** Where a table's columns have other names. */
export interface PackTable {
  readonly name: string;
  readonly id: string;
  /** `vector` by default. */
  readonly vector?: string;
  /** The table keeps the chips, and therefore also which pack cut them. */
  readonly hasChips?: true;
}

const own = sql<string>`(pack_id || '@' || pack_version)`;

/** The row has a vector of this pack beside its own. */
const isBeside = (pack: string) => sql`(other_pack = ${pack} and other_vector is not null)`;

/** The row has a vector of this pack. */
export const hasVectorOf = (pack: string): RawBuilder<boolean> =>
  sql<boolean>`(${own} = ${pack} or coalesce(${isBeside(pack)}, false))`;

/** This pack was tried and finds no face. */
export const isUnreadableBy = (pack: string): RawBuilder<boolean> =>
  sql<boolean>`(${own} <> ${pack} and coalesce(other_pack = ${pack}, false) and other_vector is null)`;

/** This pack was not tried. */
export const isUntriedBy = (pack: string): RawBuilder<boolean> =>
  sql<boolean>`(${own} <> ${pack} and other_pack is distinct from ${pack})`;

/** How far a pack has come with the rows of a table. */
export interface PackCounts {
  readonly total: number;
  readonly done: number;
  /** How many chips it finds no face in. */
  readonly failed: number;
}

const countOf = (which: RawBuilder<boolean>) => sql<number>`count(*) filter (where ${which})`;

/** The columns to select. */
export const countsOf = (pack: string) =>
  [
    sql<number>`count(*)`.as('total'),
    countOf(hasVectorOf(pack)).as('done'),
    countOf(isUnreadableBy(pack)).as('failed'),
  ] as const;

/** A column to select: the pack that cut the row's chip. */
export const cutBy = sql<string>`coalesce(cut_by, ${own})`.as('cut_by');

/** Changes with every change of the row. */
export const rowVersion = sql<string>`xmin::text`;

/** For an update: a vector of `pack` beside the row's own replaces the row's own. */
function takeOver({ vector = 'vector', hasChips }: PackTable, pack: string) {
  const at = pack.lastIndexOf('@');
  const column = sql.ref(vector);
  const is = isBeside(pack);
  const cutter = sql`cut_by = case when ${is} then coalesce(cut_by, ${own}) else cut_by end,`;
  return sql`${hasChips ? cutter : sql``}
    ${column} = case when ${is} then other_vector else ${column} end,
    pack_id = case when ${is} then ${pack.slice(0, at)} else pack_id end,
    pack_version = case when ${is} then ${pack.slice(at + 1)} else pack_version end`;
}

/**
 * Sets the vector of `pack` beside the vector of `serving`, which becomes the row's own if it is not; null: `pack`
 * finds no face. Any other vector is removed. Changes only rows where `pack` was not tried; returns how many.
 */
export async function setOther(
  tx: Tx,
  table: PackTable,
  { pack, serving }: { readonly pack: string; readonly serving: string },
  vector: Buffer | null,
  which: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table.name)}
    set ${takeOver(table, serving)}, other_pack = ${pack}, other_vector = ${vector}
    where ${which} and ${isUntriedBy(pack)}`.execute(tx.as<unknown>());
  return Number(numAffectedRows);
}

/**
 * Replaces vectors of packs that are not among `packs` if the row has one of `serving`, and removes such vectors
 * beside another one. At most `limit` rows of each; returns how many.
 */
export async function tidy(
  tx: Tx,
  table: PackTable,
  { serving, packs }: { readonly serving: string; readonly packs: readonly string[] },
  limit: number,
): Promise<number> {
  const some = (condition: RawBuilder<unknown>) => sql`ctid in (
    select ctid from ${sql.table(table.name)} where other_pack is not null and ${condition}
    order by ${sql.ref(table.id)} limit ${limit} for update)`;
  const isKept = (pack: RawBuilder<unknown>) => sql`(${pack} = any(${packs}::text[]))`;
  const { numAffectedRows: taken = 0n } = await sql`
    update ${sql.table(table.name)}
    set ${takeOver(table, serving)}, other_pack = null, other_vector = null
    where ${some(sql`${isBeside(serving)} and not ${isKept(own)}`)}`.execute(tx.as<unknown>());
  const { numAffectedRows: cleared = 0n } = await sql`
    update ${sql.table(table.name)} set other_pack = null, other_vector = null
    where ${some(sql`not ${isKept(sql`other_pack`)}`)}`.execute(tx.as<unknown>());
  return Number(taken + cleared);
}
