import { expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { isAt, mainNavigation, systemNavigation } from './navigation.ts';

const id = '22222222-2222-4222-8222-222222222222';
const all = [...mainNavigation, ...systemNavigation(aUser({ role: 'superadmin' }))];
const at = (pathname: string, search: { view?: string } = {}): string[] =>
  all.filter((one) => isAt(one, { pathname, search })).map(({ label }) => label);

test.each([
  ['/', {}, 'nav.dashboard'],
  ['/cameras', {}, 'nav.cameras'],
  [`/cameras/${id}`, {}, 'nav.cameras'],
  ['/cameras', { view: 'wall' }, 'cameras.wall'],
  [`/cameras/${id}`, { view: 'wall' }, 'cameras.wall'],
  ['/recordings', {}, 'recordings.title'],
  [`/recordings/${id}`, {}, 'recordings.title'],
  ['/face-database', { view: 'unknown' }, 'nav.faces'],
  ['/activity-log', { view: 'cards' }, 'nav.activity'],
  ['/alerts', {}, 'alerts.title'],
  ['/settings/users', {}, 'settings.title'],
  ['/settings/notifications', {}, 'settings.title'],
])('the page at %s %o is marked by one entry', (pathname, search, label) => {
  expect(at(pathname, search)).toEqual([label]);
});

test('a page that has no entry marks none', () => {
  expect(at('/profile')).toEqual([]);
});

test('NAV-030 the System group leads to the alerts, and to the settings that one may open', () => {
  const to = (role: 'user' | 'operator' | 'admin' | 'superadmin'): string[] =>
    systemNavigation(aUser({ role, is_staff: false, is_superuser: false })).map((one) => one.to);
  const own = ['/alerts', '/settings/notifications'];
  expect([to('user'), to('operator')]).toEqual([own, own]);
  expect(to('superadmin')).toEqual(['/alerts', '/settings']);
  expect(to('admin')).toHaveLength(2);
});
