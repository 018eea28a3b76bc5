/** Searches of the activity log as `deeds.ts` fills it, and the processor time of each. */
import { readFileSync } from 'node:fs';
import type { SignedIn } from '../../server/src/testing/server.ts';
import { spreadOf } from './numbers.ts';
import { childrenOf } from './processes.ts';

export interface LogSearch {
  readonly what: string;
  readonly who: SignedIn;
  readonly query: Readonly<Record<string, string>>;
}

export interface SearchFigure {
  readonly what: string;
  readonly found: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

type Readers = Readonly<Record<'admin' | 'user', SignedIn>>;
const lastPage = { page: '500' };

const camera = '00000006-0000-7000-8000-000000000007';
const day = '2025-12-01';

/** Whatever the log is filtered by, and what is left out of it. */
const filters = (user: string): [string, Record<string, string>][] => [
  ['of a type', { content_type: 'camera' }],
  ['of a type that has none', { content_type: 'alert' }],
  ['of an address', { ip_address: '192.0.2.40' }],
  ['of a kind of deed', { action: 'search' }],
  ['that changed something', { action: 'update' }],
  ['of an object', { object_id: camera }],
  ['of a day', { start_date: day, end_date: day }],
  ['of a user', { user }],
  ['without a type', { not_content_type: 'camera' }],
  ['without an address', { not_ip_address: '192.0.2.1' }],
  ['without a kind of deed', { not_action: 'view' }],
  ['without a user', { not_user: user }],
];

const orders = ['user', 'action', 'ip'].flatMap((sort_by): [string, Record<string, string>][] => [
  [`by ${sort_by}`, { sort_by, sort_direction: 'asc' }],
  [`by ${sort_by}, the last first`, { sort_by, sort_direction: 'desc' }],
]);

/** Words that many notes have, all details, and few details. */
const dense = [
  ['in notes', 'garage'],
  ['a field', 'description'],
  ['a value of a list', 'maintenance'],
] as const;

/** Each kind of match, rare and frequent; late pages, other orders, filters beside the words, and one's own entries. */
export function searchesOf(deeds: number, { admin, user }: Readers): LogSearch[] {
  const middle = Math.floor(deeds / 2 / 20) * 20;
  const asked: [string, Record<string, string>, SignedIn?][] = [
    ['what is not there', { search: 'zzyzx' }],
    ['one note', { search: `round ${middle}` }],
    ['one value', { search: `Round ${middle + 1}` }],
    ['a name of a user', { search: 'operator' }],
    ['a field', { search: 'description' }],
    ['an IP address with 10,000 entries', { search: '192.0.2.17' }],
    ['a camera', { search: 'Camera 17' }],
    ['in notes, 50,000 of 100,000 match', { search: 'garage' }],
    ['across a name', { search: 'changed camera camera 17' }],
    ['across names of 32 cameras', { search: 'changed camera camera' }],
    ['a value of a list, 20,000 match', { search: 'maintenance' }],
    ['a name of 10,000 people', { search: 'Person 77 ' }],
    ['one letter', { search: 'a' }],
    ['one letter that is nowhere', { search: 'q' }],
    ['two letters', { search: 'zq' }],
    ['all addresses begin with it', { search: '192' }],
    ['field, last page', { search: 'description', ...lastPage }],
    ['in notes, last page', { search: 'garage', ...lastPage }],
    ['a value of a list, last page', { search: 'maintenance', ...lastPage }],
    ['a camera, last page', { search: 'Camera 17', ...lastPage }],
    ['one letter, last page', { search: 'a', ...lastPage }],
    ['a name of a user, last page', { search: 'operator', ...lastPage }],
    ['in notes, the oldest first', { search: 'garage', sort_direction: 'asc' }],
    ['a value of a list, the oldest first', { search: 'maintenance', sort_direction: 'asc' }],
    ['a camera, what was viewed', { search: 'Camera 17', action: 'view' }],
    ['a camera, of an address', { search: 'Camera 17', ip_address: '192.0.2.40' }],
    ['a camera, by user', { search: 'Camera 17', sort_by: 'user' }],
    ['one letter, by address', { search: 'a', sort_by: 'ip' }],
    ['one letter, of an address', { search: 'a', ip_address: '192.0.2.40' }],
    ['what is not there, of an address', { search: 'zzyzx', ip_address: '192.0.2.40' }],
    ...dense.flatMap(([what, search]) =>
      [...filters(user.id), ...orders].map(([also, query]): [string, Record<string, string>] => [
        `${what}, ${also}`,
        { search, ...query },
      ]),
    ),
    ["one's own, in notes", { search: 'garage' }, user],
    ["one's own, a field", { search: 'description' }, user],
    ["one's own, what is not there", { search: 'zzyzx' }, user],
  ];
  return asked.map(([what, query, who = admin]) => ({ what, query, who }));
}

const warmUps = 3;

export async function measureSearch(
  { what, query, who }: LogSearch,
  calls: number,
  postmaster: number,
): Promise<SearchFigure> {
  const path = `/secure-api/activity-log/activity-logs/?${new URLSearchParams({ limit: '20', ...query })}`;
  const times: number[] = [];
  let found = '';
  for (let call = 0; call < calls + warmUps; call += 1) {
    const before = cpuMs(postmaster);
    const { status, text } = await who.get(path);
    const after = cpuMs(postmaster);
    // Where there are fewer entries, some pages are too late.
    if (status === 400 && 'page' in query) return { what, found: '-', p50Ms: NaN, p95Ms: NaN };
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    const { count, more } = JSON.parse(text) as { count: number; more: boolean };
    found = `${count}${more ? '+' : ''}`;
    if (call >= warmUps) times.push(after - before);
  }
  const { p50, p95 } = spreadOf(times);
  return { what, found, p50Ms: p50, p95Ms: p95 };
}

/** CPU time of this process and PostgreSQL's, counted by the scheduler (Linux), without parallel workers that ended. */
function cpuMs(postmaster: number): number {
  const own = process.cpuUsage();
  const backends = childrenOf(postmaster);
  return (own.user + own.system) / 1000 + backends.reduce((sum, pid) => sum + scheduledMs(pid), 0);
}

/** Finer than the hundredths of a second of `processes.ts`: one call takes some milliseconds. 0 once it is gone. */
function scheduledMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}
