import { expect, test } from 'vitest';
import { hold } from './hold.ts';

const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, count: 1 }));
const held = (shown: (typeof a)[], now: (typeof a)[]) => {
  const { rows, waiting } = hold(shown as { id: string }[], now as { id: string }[]);
  const ids = (list: typeof rows) => list.map(({ id }) => id).join('');
  return [ids(rows), ids(waiting)];
};

test.each([
  ['nothing is new', [a, b], [a, b], ['ab', '']],
  ['what comes at the head waits', [b, c], [a, b, c], ['bc', 'a']],
  ['what it pushes off the page stays', [b, c, d], [a, b, c], ['bcd', 'a']],
  ['what is gone goes', [a, b, c], [a, c], ['ac', '']],
  ['what is gone at the end goes, too', [a, b, c], [a, b], ['ab', '']],
  ['what comes at the end moves nothing', [a, b], [b, c, d], ['bcd', '']],
  ['what comes between waits', [a, c], [a, b, c], ['ac', 'b']],
  ['where nothing is left to be read all is shown', [a, b], [c, d, e], ['cde', '']],
  ['an empty list has nothing to hold', [], [a], ['a', '']],
] as const)('%s', (_, shown, now, expected) => {
  expect(held([...shown], [...now])).toEqual(expected);
});

test('a row says what the server says now', () => {
  const { rows } = hold([a!], [{ ...a!, count: 9 }]);
  expect(rows[0]?.count).toBe(9);
});
