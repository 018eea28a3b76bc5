import { expect, test } from 'vitest';
import { changesOf, otherData } from './changes.ts';

test('LOG-019 changes come with before and after, and those whose values are not recorded by name', () => {
  const data = {
    section: 'security',
    changes: { name: { from: 'Gate', to: 'Main gate' }, odd: 'no pair' },
    fields: ['name', 'password'],
    is_mock: true,
  };
  expect(changesOf({ event: 'settings.changed', additional_data: data })).toEqual([
    { field: 'name', values: { before: 'Gate', after: 'Main gate' } },
    { field: 'password', values: null },
  ]);
  expect(otherData(data)).toEqual([['section', 'security']]);
  const own = { from: 'active', to: 'error' };
  const values = { before: 'active', after: 'error' };
  expect(changesOf({ event: 'face.changed', additional_data: own })).toEqual([
    { field: '', values },
  ]);
  expect(changesOf({ event: 'camera.status_changed', additional_data: own })).toEqual([
    { field: 'status', values },
  ]);
  expect(changesOf({ event: 'face.changed', additional_data: {} })).toEqual([]);
  // A change of a password has a list, not values.
  expect(otherData({ changes: ['password'] })).toEqual([['changes', ['password']]]);
});
