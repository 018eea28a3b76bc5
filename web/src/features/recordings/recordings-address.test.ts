import { expect, test } from 'vitest';
import { changed, isFiltered, recordingsSearch } from './recordings-address.ts';

const id = '22222222-2222-4222-8222-222222222222';

test('an address is read as it is meant', () => {
  const all = {
    day: '2026-01-15',
    filter: 'motion',
    search: 'Rena',
    page: 2,
    recording: id,
    at: '2026-01-15T12:00:00.000Z',
    person: id,
    with: `${id},${id}`,
  } as const;
  expect(recordingsSearch({ ...all, other: 1 })).toEqual(all);
});

test.each([
  ['filter', 'all'],
  ['page', 1],
  ['page', 1.5],
  ['page', 'two'],
  ['recording', '../x'],
  ['at', 'yesterday'],
  ['at', '2026-13-40T00:00:00Z'],
  ['at', '2026-01-15T12:00:00'],
  ['person', 7],
  ['with', `${id},`],
  ['search', ''],
])('%s=%s says nothing', (name, value) => {
  expect(recordingsSearch({ [name]: value })).toEqual({});
});

test('digits are words, too; a day that is none stays, so that the page can say so', () => {
  expect(recordingsSearch({ search: 12, day: '2026-13-40' })).toEqual({
    search: '12',
    day: '2026-13-40',
  });
  expect(recordingsSearch({ day: 2026 })).toEqual({ day: '2026' });
});

test('a change leaves the rest as it was', () => {
  const search = { day: '2026-01-15', page: 2, recording: id };
  expect(changed(search, { page: undefined, filter: 'faces' })).toEqual({
    day: '2026-01-15',
    recording: id,
    filter: 'faces',
  });
  expect([isFiltered(search), isFiltered({ search: 'a' }), isFiltered({ person: id })]).toEqual([
    false,
    true,
    true,
  ]);
});
