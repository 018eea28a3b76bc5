import { alertLevels, alertOrders, alertStatuses } from '@nazar/contract/alerts.ts';
import { expect, test } from 'vitest';
import { alertsSearch, cleared, isFiltered, levels, orders, statuses } from './search.ts';

test('statuses and levels are those of the contract, and orders some of its', () => {
  expect(statuses).toEqual(alertStatuses);
  expect(levels).toEqual(alertLevels);
  expect(alertOrders).toEqual(expect.arrayContaining([...orders]));
});

test('the usual order is not written, and clearing the filters keeps another', () => {
  expect(alertsSearch({ order: '-created_at' })).toEqual({});
  const search = alertsSearch({ order: '-level', status: 'new', open: true });
  expect(isFiltered(search)).toBe(true);
  expect(cleared(search)).toEqual({ order: '-level' });
  expect(isFiltered(cleared(search))).toBe(false);
});
