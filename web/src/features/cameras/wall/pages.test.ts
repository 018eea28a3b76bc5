import { expect, test } from 'vitest';
import { pageAt, pagesOf } from './pages.ts';
import { readWallAddress } from './wall-address.ts';

const tiles = (names: string) => names.split('').map((name) => ({ name, is_pinned: name < 'a' }));
const shown = (names: string, perPage: number): string[] =>
  pagesOf(tiles(names), perPage).map((page) => page.map(({ name }) => name).join(''));

test('pages hold as many tiles as was asked for, in their order', () => {
  expect(shown('abcde', 2)).toEqual(['ab', 'cd', 'e']);
  expect(shown('ab', 9)).toEqual(['ab']);
});

test('a pinned tile (a capital) stays on every page, in its place', () => {
  expect(shown('aBcde', 2)).toEqual(['aB', 'Bc', 'Bd', 'Be']);
  expect(shown('ABcd', 4)).toEqual(['ABcd']);
});

test('however much is pinned, no tile is left out', () => {
  expect(shown('ABCde', 2)).toEqual(['ABCd', 'ABCe']);
  expect(shown('ABC', 2)).toEqual(['ABC']);
});

test('a page that is not there any more gives way to the last', () => {
  expect([pageAt(3, 2), pageAt(1, 0), pageAt(-1, 5), pageAt(2, 5)]).toEqual([2, 1, 1, 2]);
});

test('the address keeps what it understands of the wall, and nothing without it', () => {
  const id = '11111111-1111-4111-8111-111111111111';
  const whole = { view: 'wall', layout: id, group: id, tiles: 4, tour: 30, kiosk: 1 };
  expect(readWallAddress(whole)).toEqual(whole);
  expect(readWallAddress({ ...whole, view: 'list' })).toEqual({});
  expect(
    readWallAddress({ view: 'wall', layout: '../x', tiles: 37, tour: 1, kiosk: 'no' }),
  ).toEqual({ view: 'wall' });
});
