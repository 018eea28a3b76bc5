/**
 * The one way visits are counted: by hour, day, hour of the week, person, camera and kind, for whatever a scope may see.
 * No panel counts by itself, so that two of them never say different things of the same time.
 */
import { erasedName, hiddenName, unknownName } from '@nazar/contract/names.ts';
import type {
  CameraDetails,
  CameraStats,
  CountQuery,
  DailyVisits,
  DailyVisitsPage,
  DailyQuery,
  GroupedCounts,
  GroupedQuery,
  PersonStats,
  RecognitionStats,
  SeenPeople,
  SeenPeopleQuery,
} from '@nazar/contract/visit-counts.ts';
import { maxCounted } from '#db/bounded-page.ts';
import type { Database } from '#db/database.ts';
import { mayNameEverybody, mayOpenPerson, type Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { byTime, hourStart, type Count, type TimeKey } from './buckets.ts';
import { CountingStore, type CountFilter, type Part, type PersonFilter } from './counting-store.ts';
import { dailyPage, unknownVisits, type DailyPage } from './daily.ts';
import { DailyStore, type DayRow } from './daily-store.ts';
import { partsOf } from './parts.ts';
import { erasedId, PeopleCountingStore, type PersonRow } from './people-store.ts';
import { periodOf, type Period } from './period.ts';

export { periodOf } from './period.ts';

export interface CountingOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** Rows of days and people that are counted. */
  readonly counted?: number;
}

type Asked = Pick<
  CountQuery,
  'start_date' | 'end_date' | 'camera_id' | 'person_id' | 'person_name'
>;
/** What is counted, for whom, in whose days. */
interface Asking {
  readonly scope: Scope;
  readonly period: Period;
  readonly filter: CountFilter;
  /** Only visits of known people, or only of others. */
  readonly isRecognized: boolean | null;
}

/** Ids of the rows that are no single person's. */
const unknownKey = 'unknown';
const hiddenKey = 'hidden';
const erasedKey = 'erased';

export class Counting {
  readonly #store: CountingStore;
  readonly #people: PeopleCountingStore;
  readonly #daily: DailyStore;
  readonly #clock: Clock;
  readonly #counted: number;

  constructor({ db, clock, counted = maxCounted }: CountingOptions) {
    this.#store = new CountingStore(db);
    this.#people = new PeopleCountingStore(db);
    this.#daily = new DailyStore(db);
    this.#clock = clock;
    this.#counted = counted;
  }

  /** All of these throw time_zone_unknown, period_reversed, period_too_long. */
  async grouped(scope: Scope, query: GroupedQuery, timeZone: string): Promise<GroupedCounts> {
    const asking = this.#asking(scope, query, timeZone, query.is_recognized);
    const rows = await this.#grouped(query.by, asking);
    const sum = rows.map(([, , count]) => count).reduce(plus, none);
    return {
      ...asTotals(sum),
      results: rows.map(([key, name, count]) => ({ key, name, ...asTotals(count) })),
    };
  }

  async stats(scope: Scope, query: Asked, timeZone: string): Promise<RecognitionStats> {
    const totals = asTotals(await this.#total(this.#asking(scope, query, timeZone)));
    const { total, recognized } = totals;
    return { ...totals, success_rate: total === 0 ? null : (100 * recognized) / total };
  }

  async byPerson(scope: Scope, query: Asked, timeZone: string): Promise<PersonStats[]> {
    const asking = this.#asking(scope, query, timeZone);
    const { filter, period, isRecognized } = asking;
    const known =
      isRecognized === false
        ? []
        : await this.#people.byPerson(scope, filter, period.from, period.until);
    const people = known.map((row) => asPersonStats(scope, row));
    const unknown = await this.#unknown(asking);
    return unknown === 0 ? people : [...people, asUnknownStats(unknown)];
  }

  /** Known people, page by page. Throws page_too_late too. */
  async people(
    scope: Scope,
    { page, limit, search, ...query }: SeenPeopleQuery,
    timeZone: string,
  ): Promise<SeenPeople> {
    const { filter, period, isRecognized } = this.#asking(scope, query, timeZone);
    const meant = isRecognized === false ? unknownOnly(filter) : filter;
    const cut = { search: search ?? null, limit, offset: (page - 1) * limit };
    const { people, count, most } = await this.#people.page(scope, meant, period, cut);
    if (people.length === 0 && page > 1) throw new Problem('page_too_late', { field: 'page' });
    const results = people.map((row) => ({
      key: keyOf(row.person_id),
      name: nameOf(row),
      visits: row.visits,
    }));
    return { count, most, results };
  }

  /** Cameras without visits too. */
  async byCamera(scope: Scope, query: Asked, timeZone: string): Promise<CameraStats[]> {
    const rows = await this.#cameras(this.#asking(scope, query, timeZone));
    return rows.map(([camera_id, camera_name, count]) => ({
      camera_id,
      camera_name,
      ...asDetections(count),
    }));
  }

  /** Throws camera_not_found. */
  async cameraDetails(
    scope: Scope,
    query: Asked & { readonly camera_id: string },
    timeZone: string,
  ): Promise<Omit<CameraDetails, 'recent_logs'>> {
    const asking = this.#asking(scope, query, timeZone);
    const [camera] = await this.#cameras(asking);
    if (!camera) throw new Problem('camera_not_found');
    const [camera_id, camera_name, count] = camera;
    const { from, until } = asking.period;
    const { first_at, last_at } = await this.#store.span(scope, camera_id, from, until);
    return {
      camera_id,
      camera_name,
      ...asDetections(count),
      first_detection: first_at?.toISOString() ?? null,
      last_detection: last_at?.toISOString() ?? null,
      // To others it would show which visits of people they may not name are of one person; and without those it would
      // change when a person is erased.
      unique_persons: mayNameEverybody(scope, camera_id)
        ? await this.#people.countPeople(scope, asking.filter, from, until)
        : null,
    };
  }

  /** Throws page_too_late too. */
  async daily(
    scope: Scope,
    { page, limit, ...query }: DailyQuery,
    timeZone: string,
  ): Promise<DailyVisitsPage> {
    const asking = this.#asking(scope, query, timeZone);
    const filter = asking.isRecognized === false ? unknownOnly(asking.filter) : asking.filter;
    const unknownOn = async (period: Period) =>
      asking.filter.person
        ? new Map<string, number>()
        : unknownVisits(await this.#time('day', { ...asking, period }));
    const asked = { scope, filter, period: asking.period, unknownOn };
    const cut = { limit, offset: (page - 1) * limit };
    const { count, more, rows } = await dailyPage(this.#daily, asked, cut, this.#counted);
    if (rows.length === 0 && page > 1) throw new Problem('page_too_late', { field: 'page' });
    const results = rows.map((row) => asDaily(scope, row));
    return { count, results, ...(more ? { more } : {}) };
  }

  /** All visits of a stretch of time, to the millisecond. */
  total(scope: Scope, from: Date, until: Date): Promise<Count> {
    return this.#total(asking(scope, { from, until, timeZone: 'UTC' }));
  }

  /** The same by hours or days, under the keys of `grouped`. */
  byTime(scope: Scope, by: TimeKey, period: Period): Promise<Map<string, Count>> {
    return this.#time(by, asking(scope, period));
  }

  #asking(
    scope: Scope,
    query: Asked,
    timeZone: string,
    isRecognized: boolean | null = null,
  ): Asking {
    const { camera_id: cameraId = null, person_id, person_name } = query;
    const isUnknown = person_name === unknownName;
    const named = person_name && !isUnknown ? whoIs(person_name) : null;
    return {
      scope,
      period: periodOf(query, timeZone, this.#clock.now()),
      filter: { cameraId, person: person_id ? { id: person_id } : named },
      isRecognized: isUnknown ? false : isRecognized,
    };
  }

  async #grouped(by: GroupedQuery['by'], asking: Asking): Promise<Row[]> {
    if (by === 'camera') return this.#cameras(asking);
    if (by === 'person') return this.#persons(asking);
    if (by === 'kind') {
      return this.#kinds(asking);
    }
    return [...(await this.#time(by, asking))].map(([key, count]) => [key, '', count]);
  }

  async #time(by: TimeKey, asking: Asking): Promise<Map<string, Count>> {
    const { scope, filter, period } = asking;
    const start = hourStart(period);
    const counted = parts(asking, start === null ? 'quarter' : 'hour');
    const rows = await this.#store.byTime(scope, filter, counted, start ?? 0);
    const buckets = rows.map((row) => ({ atMs: row.at_ms, ...only(asking, row) }));
    return byTime(by, period, buckets);
  }

  async #cameras(asking: Asking): Promise<Row[]> {
    const { scope, filter } = asking;
    const cameras = await this.#store.cameras(scope, filter.cameraId);
    const rows = await this.#store.byCamera(scope, filter, parts(asking, 'day'));
    const counts = new Map(rows.map((row) => [row.camera_id, only(asking, row)]));
    return cameras.map(({ id, name }) => [id, name, counts.get(id) ?? none]);
  }

  async #persons(asking: Asking): Promise<Row[]> {
    const { scope, filter, period, isRecognized } = asking;
    const { from, until } = period;
    const known =
      isRecognized === false ? [] : await this.#people.visitsByPerson(scope, filter, from, until);
    const people = known.map(({ person_id, person_name, visits }): Row => {
      const count = { visits, recognized: visits };
      return [keyOf(person_id), nameOf({ person_id, person_name }), count];
    });
    const unknown = await this.#unknown(asking);
    if (unknown === 0) return people;
    return [...people, [unknownKey, unknownName, { visits: unknown, recognized: 0 }]];
  }

  /** Visits of erased people were recognized too, but do not count as visits of known people. */
  async #kinds(asking: Asking): Promise<Row[]> {
    const { visits, recognized } = await this.#total(asking);
    const erased = recognized === 0 ? 0 : await this.#erased(asking);
    const known = recognized - erased;
    return [
      ['recognized', '', { visits: known, recognized: known }],
      [unknownKey, unknownName, { visits: visits - recognized, recognized: 0 }],
      [erasedKey, erasedName, { visits: erased, recognized: erased }],
    ];
  }

  /** Visits of erased people, as far as this reader may know that they are. */
  async #erased({ scope, filter, period: { from, until } }: Asking): Promise<number> {
    if (filter.person && !('isErased' in filter.person)) return 0;
    const erased: CountFilter = { ...filter, person: { isErased: true } };
    const rows = await this.#people.visitsByPerson(scope, erased, from, until);
    return rows.reduce((sum, { visits }) => sum + visits, 0);
  }

  async #unknown(asking: Asking): Promise<number> {
    if (asking.filter.person || asking.isRecognized === true) return 0;
    const { visits, recognized } = await this.#total({ ...asking, isRecognized: null });
    return visits - recognized;
  }

  async #total(asking: Asking): Promise<Count> {
    const { scope, filter } = asking;
    const rows = await this.#store.byCamera(scope, filter, parts(asking, 'day'));
    return rows.map((row) => only(asking, row)).reduce(plus, none);
  }
}

/** `coarsest`: within that unit nothing begins that is asked for, but the period itself. */
function parts({ filter, period }: Asking, coarsest: Part['grain']): Part[] {
  const [fromMs, untilMs] = [period.from.getTime(), period.until.getTime()];
  // The kept counts do not know who it was; one person's visits are few.
  return partsOf(fromMs, untilMs, filter.person ? 'visit' : coarsest);
}

type Row = readonly [key: string, name: string, count: Count];

const none: Count = { visits: 0, recognized: 0 };
const plus = (a: Count, b: Count): Count => ({
  visits: a.visits + b.visits,
  recognized: a.recognized + b.recognized,
});
const unknownOnly = (filter: CountFilter): CountFilter => ({
  ...filter,
  person: { id: '00000000-0000-0000-0000-000000000000' },
});

function only({ isRecognized }: Asking, { visits, recognized }: Count): Count {
  if (isRecognized === null) return { visits, recognized };
  return isRecognized
    ? { visits: recognized, recognized }
    : { visits: visits - recognized, recognized: 0 };
}

const asking = (scope: Scope, period: Period): Asking => ({
  scope,
  period,
  filter: { cameraId: null, person: null },
  isRecognized: null,
});

const asTotals = ({ visits, recognized }: Count) => ({
  total: visits,
  recognized,
  unrecognized: visits - recognized,
});
const asDetections = ({ visits, recognized }: Count) => ({
  total_detections: visits,
  recognized_count: recognized,
  unrecognized_count: visits - recognized,
});

/** The right to read a name is not the right to open the person. */
const openable = (
  scope: Scope,
  { person_id, person_added_by }: PersonRow | DayRow,
): string | null =>
  person_id !== erasedId && mayOpenPerson(scope, person_added_by) ? person_id : null;

/** What stands for a known person in keys of rows. */
const keyOf = (personId: string | null): string =>
  personId === erasedId ? erasedKey : (personId ?? hiddenKey);

const nameOf = ({
  person_id,
  person_name,
}: Pick<PersonRow, 'person_id' | 'person_name'>): string =>
  person_id === erasedId ? erasedName : (person_name ?? hiddenName);

const whoIs = (name: string): PersonFilter => (name === erasedName ? { isErased: true } : { name });

function asPersonStats(scope: Scope, row: PersonRow): PersonStats {
  return {
    person_name: nameOf(row),
    person_id: openable(scope, row),
    key: row.person_id === erasedId ? null : row.person_id,
    ...asDetections({ visits: row.visits, recognized: row.visits }),
    first_seen: row.first_at.toISOString(),
    last_seen: row.last_at.toISOString(),
    cameras: row.cameras,
  };
}

const asUnknownStats = (visits: number): PersonStats => ({
  person_name: unknownName,
  person_id: null,
  key: null,
  ...asDetections({ visits, recognized: 0 }),
  first_seen: null,
  last_seen: null,
  cameras: null,
});

function asDaily(scope: Scope, { date, ...row }: DailyPage['rows'][number]): DailyVisits {
  const key = row.is_known ? keyOf(row.person_id) : unknownKey;
  const name = row.is_known ? nameOf(row) : unknownName;
  return {
    id: `${date}.${key}`,
    date,
    person_name: name,
    person_id: openable(scope, row),
    detection_count: row.visits,
    recognized_count: row.is_known ? row.visits : 0,
    unrecognized_count: row.is_known ? 0 : row.visits,
    first_seen: row.first_at.toISOString(),
    last_seen: row.last_at.toISOString(),
  };
}
