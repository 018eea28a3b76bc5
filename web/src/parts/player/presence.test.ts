import type { FaceBox } from '@nazar/contract/live.ts';
import { expect, test } from 'vitest';
import { Presence, noOne, samePresent } from './presence.ts';

const face = (track_id: string, state: FaceBox['state'], name: string | null = null): FaceBox => ({
  track_id,
  state,
  name,
  x: 0,
  y: 0,
  width: 0.1,
  height: 0.1,
  confidence: null,
});

test('a person is named once they stayed, and until they have been gone for a second', () => {
  const presence = new Presence();
  const leyla = [face('1', 'known', 'Leyla'), face('2', 'unknown')];
  expect(presence.see(leyla, 0)).toEqual({ known: [], unknown: 0, faces: 2 });
  expect(presence.see(leyla, 500)).toEqual({ known: ['Leyla'], unknown: 1, faces: 0 });
  expect(presence.see([], 1500)).toEqual({ known: ['Leyla'], unknown: 1, faces: 0 });
  expect(presence.see([], 1501)).toEqual(noOne);
});

test('undecided and unusable faces are faces without a name, for their boxes show; two tracks of one person are one', () => {
  const presence = new Presence();
  const faces = [
    face('1', 'undecided'),
    face('2', 'unusable'),
    face('3', 'known', 'Leyla'),
    face('4', 'known', 'Leyla'),
  ];
  presence.see(faces, 0);
  expect(presence.see(faces, 900)).toEqual({ known: ['Leyla'], unknown: 0, faces: 2 });
});

test('an unknown face that gets its name counts once', () => {
  const presence = new Presence();
  presence.see([face('1', 'unknown')], 0);
  expect(presence.see([face('1', 'unknown')], 600).unknown).toBe(1);
  expect(presence.see([face('1', 'known', 'Ali')], 700)).toEqual({
    known: ['Ali'],
    unknown: 0,
    faces: 0,
  });
});

test('only a difference is a difference', () => {
  const one = { known: ['A'], unknown: 1, faces: 1 };
  expect(samePresent(one, { ...one, known: ['A'] })).toBe(true);
  expect(samePresent(one, { ...one, known: ['B'] })).toBe(false);
  expect(samePresent(one, { ...one, unknown: 2 })).toBe(false);
  expect(samePresent(one, { ...one, faces: 0 })).toBe(false);
});

test('no one is in view under no box: whatever its state and however new', () => {
  for (const state of ['undecided', 'known', 'unknown', 'unusable'] as const) {
    const presence = new Presence();
    for (const ms of [0, 100, 600, 5000]) {
      expect(presence.see([face('1', state)], ms), state).not.toEqual(noOne);
    }
  }
});
