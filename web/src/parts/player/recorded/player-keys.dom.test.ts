import { afterEach, expect, test } from 'vitest';
import { commandOf, isOwnKey, keyRows, speedBeside, speeds } from './player-keys.ts';

// Files share a page: what is left in it is found by the tests of the next.
afterEach(() => document.body.replaceChildren());

const press = (code: string, more: Partial<KeyboardEventInit> = {}) =>
  commandOf({
    code,
    key: '',
    shiftKey: false,
    ctrlKey: false,
    altKey: false,
    metaKey: false,
    ...more,
  });

test('keys are known by their place: the same on a Russian and a Turkish keyboard', () => {
  expect(press('KeyK', { key: 'л' })).toBe('toggle');
  expect(press('Comma', { key: 'ö' })).toBe('pictureBefore');
  expect(press('ArrowLeft')).toBe('back');
  expect(press('ArrowLeft', { shiftKey: true })).toBe('panLeft');
  // The list is asked for by its sign, wherever it lies.
  expect(press('Digit7', { key: '?', shiftKey: true })).toBe('keys');
  expect(press('Equal', { key: '+', shiftKey: true })).toBe('zoomIn');
});

test('keys that belong to the browser or to nothing are left alone', () => {
  expect(press('KeyS', { ctrlKey: true })).toBeNull();
  expect(press('KeyF', { metaKey: true })).toBeNull();
  expect(press('ArrowLeft', { altKey: true })).toBeNull();
  expect(press('KeyS', { shiftKey: true })).toBeNull();
  expect(press('KeyQ')).toBeNull();
});

test('every row of the list does what it says, and no key does two things', () => {
  const pressed = keyRows.flatMap(({ codes, shift = false, command }) =>
    codes.map((code) => [`${shift} ${code}`, press(code, { shiftKey: shift }), command]),
  );
  for (const [, found, command] of pressed) expect(found).toBe(command);
  expect(new Set(pressed.map(([name]) => name)).size).toBe(pressed.length);
});

test('buttons, lists, fields and sliders keep their own keys', () => {
  document.body.innerHTML =
    '<button><i></i></button><select></select><div role="slider"></div><p></p>';
  const [icon, select, slider, text] = ['i', 'select', '[role=slider]', 'p'].map((name) => {
    const element = document.querySelector(name);
    if (element === null) throw new Error(name);
    return element;
  }) as [Element, Element, Element, Element];
  expect([isOwnKey(icon, 'Space'), isOwnKey(icon, 'KeyF')]).toEqual([true, false]);
  expect([isOwnKey(select, 'KeyF'), isOwnKey(text, 'Space')]).toEqual([true, false]);
  expect([isOwnKey(slider, 'ArrowLeft'), isOwnKey(slider, 'Space')]).toEqual([true, false]);
});

test('speeds go from a quarter to sixteen times, one after the other', () => {
  expect(speeds).toEqual([0.25, 0.5, 1, 2, 4, 8, 16]);
  expect([
    speedBeside(1, 1),
    speedBeside(1, -1),
    speedBeside(16, 1),
    speedBeside(0.25, -1),
  ]).toEqual([2, 0.5, 16, 0.25]);
});
