import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rollOf, turns, uprightest, uprightnessOf, type Turn } from './turns.ts';

/** Reads a photo whose turns are that likely upright; says which turn was taken, and which were read. */
async function taken(likely: Partial<Record<Turn, number>>): Promise<{ turn: Turn; seen: Turn[] }> {
  const seen: Turn[] = [];
  const { turn } = await uprightest(async (it) => {
    seen.push(it);
    return { turn: it, uprightness: likely[it] ?? null };
  });
  return { turn, seen };
}

test('a photo that surely stands upright is read once', async () => {
  assert.deepEqual(await taken({ 0: 3.5, 180: 9 }), { turn: 0, seen: [0] });
});

test('the one of the four turns that stands upright most likely is taken', async () => {
  for (const turn of turns) {
    const likely = { 0: -1, 90: -2, 180: -0.5, 270: -3, [turn]: 0.2 };
    assert.deepEqual(await taken(likely), { turn, seen: [...turns] });
  }
  assert.equal((await taken({ 90: -4 })).turn, 90, 'where it is the only one with a face');
});

test('a photo without a level face in any turn stays as it was sent, and so does one that is as likely', async () => {
  assert.equal((await taken({})).turn, 0);
  assert.equal((await taken({ 0: 1, 180: 1 })).turn, 0);
});

test('a face stands upright more likely the surer it is alone, and the more it is like its mirror image', () => {
  const usual = { alone: 0.9, mirrored: 0.17 };
  assert.ok(uprightnessOf(usual) > 2);
  assert.ok(uprightnessOf({ ...usual, alone: 0.6 }) < uprightnessOf(usual));
  assert.ok(uprightnessOf({ ...usual, mirrored: 0.3 }) < uprightnessOf(usual));
  for (const alone of [0, 1]) assert.ok(Number.isFinite(uprightnessOf({ ...usual, alone })));
});

test('a face leans clockwise by the line of its eyes', () => {
  const eyes = (x: number, y: number) =>
    [
      [10, 10],
      [10 + x, 10 + y],
    ] as const;
  assert.deepEqual(
    [eyes(40, 0), eyes(0, 40), eyes(-40, 0), eyes(0, -40)].map(rollOf),
    [0, 90, 180, -90],
  );
});
