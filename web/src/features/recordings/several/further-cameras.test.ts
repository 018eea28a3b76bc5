import { expect, test } from 'vitest';
import { addressOf, furtherCameras } from './further-cameras.ts';

const own = '22222222-2222-4222-8222-00000000000a';
const other = '22222222-2222-4222-8222-00000000000b';

test('each camera of the address once, in its order, and never the one whose page it is', () => {
  const third = '22222222-2222-4222-8222-00000000000c';
  const text = [third, own.toUpperCase(), other, third.toUpperCase()].join(',');
  expect(furtherCameras(text, own)).toEqual([third, other]);
  expect(furtherCameras(undefined, own)).toEqual([]);
});

test('that camera alone says nothing in the address', () => {
  expect(addressOf([])).toBeUndefined();
  expect(addressOf([other, own])).toBe(`${other},${own}`);
});
