/** A search, by whichever way it goes, finds what comparing every entry with the words finds. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { languages } from '@nazar/contract/accounts.ts';
import { ActivityQuery } from '@nazar/contract/activity.ts';
import { foldedText } from '@nazar/contract/folded-text.ts';
import { Problem } from '#lib/problem.ts';
import type { Scope } from '#http/scope.ts';
import { granting } from '#testing/grants.ts';
import { aWorld, type World } from '#testing/world.ts';
import type { Action } from '../entry.ts';
import { ActivityLog } from './activity-log.ts';
import { filterOf } from './filter.ts';
import { hasPattern } from './name-pattern.ts';
import type { LogFilter, LogPage, LogRow, Search, SearchLimits } from './rows.ts';
import { LogStore } from './store.ts';

/** A row of the log, and what of it is searched. */
interface PlainEntry extends LogRow {
  readonly words: string | null;
  readonly detail_words: string | null;
  readonly tokens: readonly string[] | null;
}

interface PlainObject {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly owner_id: string | null;
  readonly is_there: boolean;
}

interface Written {
  readonly world: World;
  readonly scopes: readonly Scope[];
  readonly cameras: readonly string[];
  readonly objects: readonly PlainObject[];
  readonly entries: readonly PlainEntry[];
}

const worlds: Written[] = [];

before(async () => {
  for (const place of [0, 1, 2]) worlds.push(await write(place));
});
after(async () => {
  for (const { world } of worlds) await world[Symbol.asyncDispose]();
});

const deed = fc.record({
  kind: fc.constantFrom('watched', 'status', 'changed', 'group', 'login', 'noted', 'noted', 'mock'),
  by: fc.nat(2),
  camera: fc.nat(3),
  word: fc.constantFrom('garage', 'Gate 12', 'Qapı', 'roof'),
  status: fc.constantFrom('active', 'inactive', 'maintenance'),
  ip: fc.constantFrom('192.0.2.1', '192.0.2.17', '2001:db8::7'),
  /** Entries of one moment are in the order of their ids. */
  afterMs: fc.constantFrom(0, 1, 60_000),
  isTakenOut: fc.constantFrom(false, false, false, true),
});
type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never;

/** A stretch of one deed before, among or after mixed ones: what lies dense at one end is rare at the other. */
const history = (place: number) => {
  const mixed = fc.array(deed, { minLength: 40, maxLength: 60 });
  return fc
    .tuple(mixed, mixed, deed, fc.integer({ min: 20, max: 40 }))
    .map(([first, last, one, times]) => {
      const stretch = Array.from({ length: times }, () => ({ ...one, isTakenOut: false }));
      return [first, last].toSpliced(place, 0, stretch).flat();
    });
};

async function write(place: number): Promise<Written> {
  const world = await aWorld();
  const { clock, activity, database } = world;
  // The order of their ids is not that of their names.
  const user = await world.actor('user');
  const scopes = [await world.actor('admin'), await world.actor('operator'), user];
  const cameras: string[] = [];
  for (const [number, name] of ['Hall', 'Hall of İzmir', 'Gate 12', 'Camera'].entries()) {
    cameras.push(await world.camera(scopes[number % 2]!, { name }));
  }
  await world.cameras.remove(scopes[1]!, cameras[1]!);
  scopes.push({ ...scopes[2]!, grants: granting(cameras[0]!, ['live']) });
  const log = new ActivityLog({ db: database.db, activity, clock, development: true });
  for (const one of fc.sample(history(place), { seed: place, numRuns: 1 })[0]!) {
    clock.advance(one.afterMs);
    await doDeed(one, { scope: scopes[one.by]!, activity, log, cameras });
    if (!one.isTakenOut) continue;
    await sql`
      insert into activity_tombstone (entry_id, deleted_at, deleted_by)
        select id, now(), ${scopes[0]!.userId}::uuid from audit_entry order by id desc limit 1`.execute(
      database.db.write(),
    );
  }
  await sql`select count_activity_days()`.execute(database.db.write());
  await sql`analyze`.execute(database.db.write());
  return { world, scopes, cameras, ...(await read(world)) };
}

interface Doing {
  readonly scope: Scope;
  readonly activity: World['activity'];
  readonly log: ActivityLog;
  readonly cameras: readonly string[];
}

async function doDeed(one: Deed, { scope, activity, log, cameras }: Doing): Promise<void> {
  const { kind, word, status, ip } = one;
  const actor = { ...scope, ip };
  const object = { type: 'camera', id: cameras[one.camera]! } as const;
  const changes = { location: { from: word, to: 'Yard' }, status: { from: status, to: 'active' } };
  const recorded: Record<
    string,
    { action: Action; object: typeof object | null; details: object }
  > = {
    watched: { action: 'camera.watched', object, details: {} },
    status: { action: 'camera.status_changed', object, details: { from: 'active', to: status } },
    changed: {
      action: 'camera.replaced',
      object,
      details: { changes, fields: ['location', 'status'], entries: 10_000 },
    },
    group: { action: 'camera.group_added', object: null, details: { name: `${word} cameras` } },
    login: { action: 'account.login', object: null, details: {} },
  };
  if (kind === 'mock') return void (await log.addMock(actor, 1));
  const entry = recorded[kind];
  if (entry) return activity.recordAlone({ actor, ...entry } as never);
  const description = `Saw the ${word}`;
  await log.add(
    actor,
    { action: 'view', description, content_type: 'camera', object_id: object.id },
    'en',
  );
}

/** By statements that know nothing of a search. */
async function read({ database: { db } }: World) {
  const entries = await sql<PlainEntry>`
    select activity_log.*, note.words, detail.words as detail_words, detail.tokens
      from activity_log
      left join activity_note note on note.entry_id = id
      left join activity_detail detail on detail.entry_id = id
     order by recorded_at desc, id desc`.execute(db.read());
  const objects = await sql<PlainObject>`select * from activity_object`.execute(db.read());
  return { entries: entries.rows, objects: objects.rows };
}

const limits = fc.record({
  counted: fc.oneof(fc.integer({ min: 5, max: 30 }), fc.integer({ min: 60, max: 200 })),
  // An estimate from few entries is often wrong about how dense the matches lie.
  probed: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 12 })),
  walked: fc.oneof(fc.integer({ min: 5, max: 20 }), fc.integer({ min: 1, max: 100 })),
  few: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100 })),
  sampled: fc.integer({ min: 1, max: 5 }),
  read: fc.integer({ min: 1, max: 40 }),
});

/** A third to a tenth of all entries have each of the first ones. */
const words = fc.constantFrom(
  ...(
    'garage|roof|hall|gate 12|qapi|maintenance|operator|watched|login|' +
    'a|q|zq|1|12|zzyzx|garage|the g|gate 12|qapi|hall|İZMİR|watched camera hall' +
    '|era ha|set gate 12 to main|maintenance|status|location|camera|client.view' +
    '|operator|user|192.0.2.1|2001:|added camera group ga|10,000|yard|warning' +
    '|неактивна|deaktiv|e|ed'
  ).split('|'),
);

const anyFilter = {
  action: fc.constantFrom('view', 'update', 'create', 'login'),
  content_type: fc.constantFrom('camera', 'system'),
  ip_address: fc.constantFrom('192.0.2.1', '192.0.2.17'),
  not_action: fc.constantFrom('view', 'update'),
  not_content_type: fc.constantFrom('camera', 'system'),
  not_ip_address: fc.constantFrom('192.0.2.1', '2001:db8::7'),
  /** One of four cameras. */
  object: fc.nat(3),
  not_user: fc.nat(2),
  /** One of three users; only administrators read another's. */
  user: fc.nat(2),
  /** Parts of the time that the world took. */
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  until: fc.double({ min: 0, max: 1, noNaN: true }),
};
const filterNames = Object.keys(anyFilter) as (keyof typeof anyFilter)[];
type Filters = {
  readonly [name in keyof typeof anyFilter]?: (typeof anyFilter)[name] extends fc.Arbitrary<infer V>
    ? V
    : never;
};

const question = fc.record({
  world: fc.nat(2),
  reader: fc.nat(3),
  words,
  language: fc.constantFrom(...languages),
  filters: fc
    .tuple(fc.record(anyFilter), fc.subarray(filterNames, { maxLength: 2 }))
    .map(([all, names]) => Object.fromEntries(names.map((name) => [name, all[name]])) as Filters),
  sortBy: fc.constantFrom('timestamp', 'timestamp', 'timestamp', 'user', 'action', 'ip'),
  direction: fc.constantFrom('asc', 'desc'),
  page: fc.integer({ min: 1, max: 5 }),
  pageSize: fc.integer({ min: 1, max: 20 }),
  limits,
});
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

function asked({ scopes, entries, cameras }: Written, question: Question): [LogFilter, LogPage] {
  const { filters, language, sortBy, direction, page, pageSize } = question;
  const { from, until, user, not_user, object, ...rest } = filters;
  const [newest, oldest] = [entries[0]!, entries.at(-1)!].map((row) => row.recorded_at.getTime());
  const at = (part: number) => new Date(oldest! + (newest! - oldest!) * part).toISOString();
  const [starts, ends] =
    from !== undefined && until !== undefined && from > until ? [until, from] : [from, until];
  const query = ActivityQuery.parse({
    ...rest,
    ...(user !== undefined && { user: scopes[user]!.userId }),
    ...(not_user !== undefined && { not_user: scopes[not_user]!.userId }),
    ...(object !== undefined && { object_id: cameras[object]! }),
    ...(starts !== undefined && { start_date: at(starts) }),
    ...(ends !== undefined && { end_date: at(ends) }),
    search: question.words,
  });
  const filter = filterOf(scopes[question.reader]!, query, language);
  return [filter, { sortBy, direction, page, pageSize }];
}

/** Every entry compared with the filters and with the words, and all that match put in order. */
function plainMatches(written: Written, filter: LogFilter): PlainEntry[] {
  const { userId, actions, from, until, contentType, objectId, ip, not, search } = filter;
  return written.entries.filter(
    (row) =>
      (userId === null || row.user_id === userId) &&
      (actions === null || actions.includes(row.action)) &&
      (from === null || row.recorded_at >= from) &&
      (until === null || row.recorded_at < until) &&
      (contentType === null || row.content_type === contentType) &&
      (objectId === null || row.object_id === objectId) &&
      (ip === null || row.ip === ip) &&
      (filter.withMock || !row.is_mock) &&
      (not.userId === null || row.user_id !== not.userId) &&
      (not.contentType === null || row.content_type !== not.contentType) &&
      (not.actions === null || !not.actions.includes(row.action)) &&
      (not.ip === null || row.ip !== not.ip) &&
      (search === null || hasWords(row, search, readableNames(written, filter))),
  );
}

function readableNames({ objects }: Written, { reader }: LogFilter): Map<string, string> {
  const readable = objects.filter(
    ({ type, id, owner_id, is_there }) =>
      reader.seesAll ||
      type === 'face_category' ||
      owner_id === reader.userId ||
      (is_there && reader.cameraIds.includes(id)),
  );
  return new Map(readable.map(({ id, name }) => [id, foldedText(name)]));
}

function hasWords(row: PlainEntry, search: Search, names: Map<string, string>): boolean {
  const wanted = foldedText(search.words);
  const name = names.get(row.object_id ?? '');
  const ownName = /_?(group|layout)_/.test(row.action) ? row.details['name'] : undefined;
  const isAddress = /^[\da-f.:-]+$/i.test(search.words);
  return (
    search.actions.includes(row.action) ||
    search.contentTypes.includes(row.content_type) ||
    [row.user_name, row.user_email].some((text) => foldedText(text).includes(wanted)) ||
    (isAddress && [row.ip, row.object_id ?? ''].some((text) => text.startsWith(wanted))) ||
    (name !== undefined && name.includes(wanted)) ||
    (row.words ?? '').includes(wanted) ||
    search.spans.some(
      ({ action, to, pattern }) =>
        action === row.action &&
        (to === null || to === row.details['to']) &&
        (pattern === null ||
          (name !== undefined && hasPattern(name, pattern)) ||
          (typeof ownName === 'string' && hasPattern(foldedText(ownName), pattern))),
    ) ||
    hasDetails(row, search, wanted)
  );
}

function hasDetails(
  { action, detail_words: text, tokens }: PlainEntry,
  search: Search,
  wanted: string,
): boolean {
  const isLong = search.words.length >= 3;
  const known = tokens ?? [];
  return (
    search.tokens.some(
      ({ token, actions }) =>
        known.includes(token) && (actions === null || actions.includes(action)),
    ) ||
    known.includes(search.words) ||
    (!isLong && known.includes(`=${wanted}`)) ||
    (isLong && (text ?? '').includes(wanted)) ||
    (search.digits !== null && (text ?? '').includes(search.digits))
  );
}

const sortValues = {
  user: ({ user_name }: PlainEntry) => user_name,
  action: ({ action }: PlainEntry) => action,
  ip: ({ ip }: PlainEntry) => ip,
  timestamp: () => '',
} as const;

function plainPage(matches: readonly PlainEntry[], page: LogPage, { counted }: SearchLimits) {
  const isByTime = page.sortBy === 'timestamp';
  const inTime = isByTime && page.direction === 'asc' ? matches.toReversed() : matches;
  const value = sortValues[page.sortBy];
  const sign = page.direction === 'asc' ? 1 : -1;
  const sorted = inTime
    .slice(0, counted)
    .toSorted((a, b) => sign * (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0));
  const first = (page.page - 1) * page.pageSize;
  const count = Math.min(matches.length, counted);
  if (page.page > Math.max(1, Math.ceil(count / page.pageSize))) return 'page_too_late';
  return {
    count,
    more: matches.length > counted,
    ids: sorted.slice(first, first + page.pageSize).map(({ id }) => id),
  };
}

async function pageOf(store: LogStore, filter: LogFilter, page: LogPage) {
  try {
    const { count, more, rows } = await store.list(filter, page);
    return { count, more, ids: rows.map(({ id }) => id) };
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

const runs = Number(process.env['NAZAR_TEST_SEARCHES'] ?? 200);

test('LOG-003 ~LOG-013 LOG-014 a search finds what comparing every entry finds: page, order and number', async () => {
  const ways = { none: 0, some: 0, over: 0 };
  await fc.assert(
    fc.asyncProperty(question, async (question) => {
      const written = worlds[question.world]!;
      const [filter, page] = asked(written, question);
      const store = new LogStore(written.world.database.db, question.limits);
      const matches = plainMatches(written, filter);
      const expected = plainPage(matches, page, question.limits);
      assert.deepEqual(await pageOf(store, filter, page), expected);
      if (matches.length === 0) ways.none += 1;
      else if (matches.length > question.limits.counted) ways.over += 1;
      else ways.some += 1;
    }),
    { numRuns: runs },
  );
  // What was asked is worth nothing if it all goes one way.
  for (const [way, times] of Object.entries(ways)) assert.ok(times >= runs / 25, `${way} ${times}`);
});

test('LOG-003 where the first entries promise more matches than the next have, the others are found', async () => {
  const limits = { counted: 5, probed: 1, walked: 5, few: 0, sampled: 1, read: 5 };
  const words = [
    'garage',
    'roof',
    'gate 12',
    'qapi',
    'maintenance',
    'operator',
    '192.0.2.1',
    'saw',
  ];
  let over = 0;
  for (const written of worlds) {
    const store = new LogStore(written.world.database.db, limits);
    // One that ends where each of the entries is the first, so that some promise more than follows.
    for (const { recorded_at } of written.entries.filter((_, place) => place % 13 === 0)) {
      const until = new Date(recorded_at.getTime() + 1).toISOString();
      for (const search of words) {
        const query = ActivityQuery.parse({ search, end_date: until });
        const filter = filterOf(written.scopes[0]!, query, 'en');
        const page: LogPage = { sortBy: 'timestamp', direction: 'desc', page: 1, pageSize: 5 };
        const matches = plainMatches(written, filter);
        if (matches.length > limits.counted) over += 1;
        const expected = plainPage(matches, page, limits);
        assert.deepEqual(await pageOf(store, filter, page), expected, `${search} until ${until}`);
      }
    }
  }
  assert.ok(over > 20, `${over}`);
});

test('LOG-003 sentences around a name are found in what a filter leaves, however little that is', async () => {
  const page: LogPage = { sortBy: 'timestamp', direction: 'desc', page: 1, pageSize: 20 };
  let found = 0;
  for (const written of worlds) {
    for (const search of ['set gate 12 to main', 'added camera group ga', 'watched camera hall']) {
      for (const ip_address of ['192.0.2.1', '192.0.2.17', '2001:db8::7']) {
        const query = ActivityQuery.parse({ search, ip_address });
        const filter = filterOf(written.scopes[0]!, query, 'en');
        const matches = plainMatches(written, filter);
        found += matches.length;
        for (const [probed, few] of [
          [1, 0],
          [1, 1_000],
          [1_000, 0],
        ] as const) {
          const limits = { counted: 100, probed, walked: 5, few, sampled: 1, read: 5 };
          const store = new LogStore(written.world.database.db, limits);
          const expected = plainPage(matches, page, limits);
          assert.deepEqual(
            await pageOf(store, filter, page),
            expected,
            `${search} ${probed} ${few}`,
          );
        }
      }
    }
  }
  assert.ok(found > 20, `${found}`);
});

test('LOG-003 a first page of several deeds begins at the end that is asked for, where most have the words', async () => {
  const limits = { counted: 5, probed: 12, walked: 5, few: 0, sampled: 1, read: 5 };
  let over = 0;
  for (const written of worlds) {
    const store = new LogStore(written.world.database.db, limits);
    for (const direction of ['asc', 'desc'] as const) {
      for (const search of ['camera', 'saw', 'e']) {
        const filter = filterOf(
          written.scopes[0]!,
          ActivityQuery.parse({ search, action: 'view' }),
          'en',
        );
        const page: LogPage = { sortBy: 'timestamp', direction, page: 1, pageSize: 2 };
        const matches = plainMatches(written, filter);
        if (matches.length > 12) over += 1;
        const expected = plainPage(matches, page, limits);
        assert.deepEqual(await pageOf(store, filter, page), expected, `${search} ${direction}`);
      }
    }
  }
  assert.ok(over > 6, `${over}`);
});

test('LOG-044 C-716 an export and the statistics of a search have what comparing every entry finds', async () => {
  await fc.assert(
    fc.asyncProperty(question, async (question) => {
      const written = worlds[question.world]!;
      const [asking, { pageSize }] = asked(written, question);
      const filter = { ...asking, withMock: question.page > 2 };
      const store = new LogStore(written.world.database.db, question.limits);
      const matches = plainMatches(written, filter);
      const exported: string[] = [];
      for (let last: LogRow | null = null; ;) {
        const rows: LogRow[] = await store.after(filter, last, pageSize + 5);
        exported.push(...rows.map(({ id }) => id));
        last = rows.at(-1) ?? null;
        if (!last) break;
      }
      assert.deepEqual(
        exported,
        matches.map(({ id }) => id),
      );
      for (const counted of [filter, { ...filter, search: null }]) {
        const rows = plainMatches(written, counted);
        const byAction = Map.groupBy(rows, ({ action }) => action);
        const counts = await store.countByAction(counted);
        assert.deepEqual(
          new Map(counts.map(({ name, value }) => [name, value])),
          new Map([...byAction].map(([action, rows]) => [action, rows.length])),
        );
      }
    }),
    { numRuns: runs / 5 },
  );
});
