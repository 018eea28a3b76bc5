import { expect, test } from 'vitest';
import { activitySearch, cleared, formOf, isWorthSaving, searchOf } from './search.ts';

test('NAV-012 the address holds what is known, and nothing else', () => {
  expect(
    activitySearch({
      search: 42,
      action: 'delete',
      notAction: 'nonsense',
      from: '2026-02-30',
      to: '2026-03-01',
      ip: '192.0.2.1',
      sort: 'ip',
      order: 'asc',
      page: 1,
      view: 'cards',
      other: 'x',
    }),
  ).toEqual({
    search: '42',
    action: 'delete',
    to: '2026-03-01',
    ip: '192.0.2.1',
    sort: 'ip',
    view: 'cards',
  });
  expect(activitySearch({ sort: 'timestamp', order: 'desc', page: 2 })).toEqual({ page: 2 });
  const visit = '0190f7c1-0000-7000-8000-000000000000';
  expect(activitySearch({ visit })).toEqual({ visit });
  expect(activitySearch({ visit: 'nonsense' })).toEqual({});
});

test('LOG-007, LOG-009, LOG-022 a search is saved with term and filters, and comes back the same', () => {
  const search = activitySearch({ search: 'gate', type: 'camera', from: '2026-01-01', page: 4 });
  expect(isWorthSaving(search)).toBe(true);
  expect(isWorthSaving({ sort: 'ip', page: 2 })).toBe(false);
  const saved = { ...formOf('Mine', search), id: 'x', timestamp: '2026-01-01T00:00:00.000Z' };
  expect(searchOf(saved, { view: 'cards', page: 9, ip: '192.0.2.1' })).toEqual({
    search: 'gate',
    type: 'camera',
    from: '2026-01-01',
    view: 'cards',
  });
  expect(cleared({ search: 'x', page: 3, sort: 'ip' })).toEqual({ sort: 'ip' });
});
