/** What stands behind the `?` of each page: what nothing is meant by is dropped from the address. */
import { createMemoryHistory } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { makeRouter } from './router.tsx';

const router = makeRouter(createMemoryHistory());
const id = '01890000-0000-7000-8000-000000000001';

type Search = Record<string, unknown>;
interface Route {
  readonly options: { readonly validateSearch?: (given: Search) => Search };
}

const pages = Object.entries(router.routesByPath as unknown as Record<string, Route>).filter(
  ([path]) => path !== '/$',
);

/** As the address says it: what is undefined does not stand in it. */
function read(path: string, given: Search): Search {
  const [, route] = pages.find(([one]) => one === path) ?? [];
  const entries = Object.entries(route?.options.validateSearch?.(given) ?? given);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** What each page understands, and what it must drop. */
const known: Record<string, { readonly good: Search; readonly bad: readonly Search[] }> = {
  '/': { good: {}, bad: [] },
  '/profile': { good: {}, bad: [] },
  '/settings': { good: {}, bad: [{ tab: 'general' }] },
  '/settings/recognition': { good: {}, bad: [] },
  '/settings/mqtt': { good: {}, bad: [{ tab: 'general' }] },
  '/cameras': {
    good: { search: 'hall', status: 'active', group: id, owner: id, page: 2 },
    bad: [
      { status: 'flying' },
      { group: 'x' },
      { owner: 'x' },
      { view: 'x' },
      { page: 'x' },
      { page: -1 },
      { low_latency: 'x' },
      { layout: id },
    ],
  },
  '/cameras/$cameraId': { good: { low_latency: true }, bad: [{ low_latency: 1 }] },
  '/recordings': {
    good: { day: '2026-01-02', filter: 'motion', search: 'hall', page: 2, person: id, export: id },
    bad: [{ filter: 'x' }, { person: 'x' }, { export: 'x' }, { page: 0 }, { page: 1.5 }],
  },
  '/recordings/$cameraId': {
    good: { filter: 'faces', recording: id, at: '2026-01-02T03:04:05Z', with: `${id},${id}` },
    bad: [
      { filter: 'x' },
      { recording: 'x' },
      { at: 'x' },
      { at: '2026-13-02T03:04:05Z' },
      { person: 'x' },
      { with: `${id},x` },
      { page: 'x' },
    ],
  },
  '/face-database': {
    good: { view: 'unknown', search: 'a', category: id, added_by: id, person: id, stranger: id },
    bad: [
      { view: 'x' },
      { category: 'x' },
      { added_by: 'x' },
      { status: 'x' },
      { progress: 'x' },
      { order: 'x' },
      { person: 'x' },
      { stranger: 'x' },
      { page: 'x' },
      { add: 'x' },
    ],
  },
  '/activity-log': {
    good: { from: '2026-01-02', action: 'create', user: id, notUser: id, entry: id, camera: id },
    bad: [
      { from: '2026-02-31' },
      { to: 'x' },
      { action: 'x' },
      { user: 'x' },
      { notUser: 'x' },
      { entry: 'x' },
      { visit: 'x' },
      { camera: 'x' },
      { tab: 'x' },
      { panel: 'x' },
      { days: 12 },
      { hour: 30 },
      { level: 'x' },
      { page: 'x' },
      { sort: 'x' },
      { dialog: 'x' },
    ],
  },
  '/alerts': {
    good: {
      status: 'new',
      level: 'critical',
      camera: id,
      open: true,
      mine: true,
      from: '2026-01-02',
      order: '-level',
      page: 2,
      alert: id,
      tab: 'rules',
    },
    bad: [
      { status: 'x' },
      { level: 'x' },
      { camera: 'x' },
      { open: 'x' },
      { mine: 'x' },
      { from: '2026-02-31' },
      { to: 'x' },
      { order: 'x' },
      { order: '-created_at' },
      { page: 1 },
      { alert: 'x' },
      { tab: 'x' },
    ],
  },
  '/notifications': {
    good: { tab: 'settings', filter: 'unread', page: 2 },
    bad: [{ tab: 'list' }, { filter: 'all' }, { filter: 'x' }, { page: 1 }, { page: 'x' }],
  },
  '/settings/notifications': { good: {}, bad: [{ tab: 'settings' }] },
  '/security': { good: { signOn: 'connected' }, bad: [{ signOn: 'x' }] },
  '/settings/access': {
    good: { user: id, tab: 'groups', search: 'hall' },
    bad: [{ user: 'x' }, { group: 'x' }, { tab: 'x' }],
  },
  '/settings/users': {
    good: { search: 'a', role: 'user', status: 'active', order: 'email', user: id, page: 2 },
    bad: [{ role: 'x' }, { status: 'x' }, { order: 'x' }, { user: 'x' }, { tab: 'x' }, { page: 0 }],
  },
  '/settings/webhooks': {
    good: {
      webhook: id,
      state: 'failed',
      from: '2026-01-02',
      to: '2026-01-03',
      order: 'created_at',
      page: 2,
    },
    bad: [
      { webhook: 'x' },
      { state: 'x' },
      { from: '2026-02-31' },
      { to: 'x' },
      { order: '-created_at' },
      { page: 1 },
      { page: 'x' },
    ],
  },
  '/settings/privacy': { good: { page: 2 }, bad: [{ page: 'x' }, { page: -1 }] },
};

test('each page has its line in the table of what its address says', () => {
  expect(pages.map(([path]) => path).toSorted()).toEqual(Object.keys(known).toSorted());
});

test.each(Object.entries(known))('known parts stay in %s', (path, { good }) => {
  expect(read(path, good)).toEqual(good);
});

test.each(Object.entries(known))('unknown parts are dropped from %s', (path, { bad }) => {
  for (const given of [{ nonsense: 'x' }, ...bad]) {
    expect(read(path, given), JSON.stringify(given)).toEqual({});
  }
});
