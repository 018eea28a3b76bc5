/**
 * How often each known person was at each camera within a stretch of time: by quarters of the year with their days, and near its ends
 * by the visits themselves, which are counted or, where that is shorter, taken out again.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Scope } from '#http/scope.ts';
import { isCounted } from '../visible-cameras-store.ts';
import { isSomeone, type CountFilter } from './counting-store.ts';

const dayMs = 24 * 60 * 60_000;

/** The midnight of UTC that is nearest. */
const nearestDay = (moment: Date): Date => new Date(Math.round(moment.getTime() / dayMs) * dayMs);
const asDay = (moment: Date) => sql`${moment.toISOString().slice(0, 10)}::date`;
/** The first day of the quarter of the year, in UTC. */
const quarterOf = (day: Date): Date =>
  new Date(Date.UTC(day.getUTCFullYear(), 3 * Math.floor(day.getUTCMonth() / 3), 1));
const daysBetween = (from: Date, until: Date): number =>
  Math.round((until.getTime() - from.getTime()) / dayMs);

/**
 * Rows of identity, camera and visits, several of a kind, whose sum may be 0; strangers' too, near the ends. None came
 * between `first_at` and `last_at` of such rows together but those meant, where these are within the stretch; where they
 * are not, others came before or after it. Unless `isByCamera` rows may be of all cameras together, without moments.
 */
export function knownVisits(
  scope: Scope,
  { cameraId, person }: CountFilter,
  from: Date,
  until: Date,
  { isByCamera = true } = {},
): RawBuilder<unknown> {
  const isHere = sql`${isCounted(scope, cameraId)} and ${person ? isSomeone(person) : sql`true`}`;
  const [first, last] = [nearestDay(from), nearestDay(until)];
  if (first >= last) return ofVisits(isHere, from, until, 1);
  const kept = scope.seesAll && !isByCamera && cameraId === null ? atAllCameras : atCameras;
  const parts = [
    ofQuarters(kept, isHere, first, last),
    ...(from < first ? [ofVisits(isHere, from, first, 1)] : []),
    ...(first < from ? [ofVisits(isHere, first, from, -1)] : []),
    ...(last < until ? [ofVisits(isHere, last, until, 1)] : []),
    ...(until < last ? [ofVisits(isHere, until, last, -1)] : []),
  ];
  return sql.join(parts, sql` union all `);
}

/** Kept quarters, at each camera or at all of them together; those have no moments. */
const atCameras = {
  table: sql`visit_person_quarter_now`,
  columns: sql`camera_id`,
  edges: sql`first_at, last_at`,
};
const atAllCameras = {
  table: sql`visit_identity_quarter_now`,
  columns: sql`null::uuid as camera_id`,
  edges: sql`null::timestamptz as first_at, null::timestamptz as last_at`,
};

/** `first` and `last` begin a day of UTC. */
function ofQuarters(
  { table, columns, edges }: typeof atCameras,
  isHere: RawBuilder<unknown>,
  first: Date,
  last: Date,
): RawBuilder<unknown> {
  const lastDay = new Date(last.getTime() - dayMs);
  const [from, until] = [quarterOf(first), quarterOf(lastDay)];
  const before = sql.lit(daysBetween(from, first));
  const through = sql.lit(daysBetween(until, last));
  return sql`
    select identity_id, ${columns},
           visit_quarter_count(through, case when quarter = ${asDay(until)} then ${through} else 92 end)
           - case when quarter = ${asDay(from)} then visit_quarter_count(through, ${before}) else 0 end as visits,
           ${edges}
    from ${table}
    where quarter between ${asDay(from)} and ${asDay(until)} and ${isHere}`;
}

function ofVisits(
  isHere: RawBuilder<unknown>,
  from: Date,
  until: Date,
  sign: 1 | -1,
): RawBuilder<unknown> {
  return sql`
    select identity_id, camera_id, ${sql.lit(sign)} * count(*)::integer as visits,
           min(started_at) as first_at, max(started_at) as last_at
    from visit
    where started_at >= ${from} and started_at < ${until} and deleted_at is null and ${isHere}
    group by 1, 2`;
}
