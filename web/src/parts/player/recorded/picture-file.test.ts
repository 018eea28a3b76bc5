import { expect, test } from 'vitest';
import { pictureName } from './picture-file.ts';

const at = new Date(2026, 2, 5, 7, 8, 9).getTime();

test('a picture is named after its camera, with its own letters, and its moment by the clock here', () => {
  expect(pictureName('Вход', at)).toBe('Вход 2026-03-05 07-08-09.jpg');
  expect(pictureName('Şəhər girişi', at)).toBe('Şəhər girişi 2026-03-05 07-08-09.jpg');
});

test('a letter that a file system refuses does not stand in a name', () => {
  expect(pictureName('../a\\b:"c"?\n*|<d>', at)).toBe('a b c d 2026-03-05 07-08-09.jpg');
  expect(pictureName('...', at)).toBe('2026-03-05 07-08-09.jpg');
  const long = pictureName('ə'.repeat(150), at);
  expect(new TextEncoder().encode(long).length).toBeLessThanOrEqual(255);
  expect(pictureName(`${'a'.repeat(99)}😀`, at).isWellFormed()).toBe(true);
});
