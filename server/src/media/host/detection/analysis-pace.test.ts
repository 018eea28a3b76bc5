import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnalysisPace } from './analysis-pace.ts';

const share = 0.2;

/** How many frames of a second are analyzed, of 50 that come: each takes so long, and five of them are due anyway. */
function analyzedOf(mostFps: number, tookMs: number): number {
  const pace = new AnalysisPace(mostFps);
  let count = 0;
  let freeAtMs = 0;
  for (let atMs = 0; atMs < 10_000; atMs += 20) {
    if (atMs < freeAtMs) continue;
    const isDue = atMs % 200 === 0;
    if (!isDue && !pace.mayBegin(atMs, atMs - (atMs % 200) + 200)) continue;
    pace.started(atMs, share);
    freeAtMs = atMs + tookMs;
    pace.ended(freeAtMs);
    count += 1;
  }
  return count / 10;
}

test('~CAM-034 more frames are analyzed the more the camera asks for, where the machine has time', () => {
  for (const mostFps of [5, 10, 15, 25]) {
    const rate = analyzedOf(mostFps, 4);
    assert.ok(rate > mostFps * 0.85 && rate < mostFps * 1.03, `${mostFps}: ${rate}`);
  }
});

test('a machine that is slower analyzes fewer, down to those that are due anyway', () => {
  const rates = [4, 15, 30, 60, 150].map((tookMs) => analyzedOf(60, tookMs));
  assert.deepEqual(
    rates,
    rates.toSorted((a, b) => b - a),
  );
  assert.ok(rates[0]! > 20, String(rates));
  // One more at the beginning, when the first that was due is over.
  assert.ok(rates.at(-1)! <= 5.1 && rates.at(-1)! >= 5, String(rates));
});

test('nothing is begun before it is known what an analysis takes', () => {
  const pace = new AnalysisPace(30);
  assert.equal(pace.mayBegin(1_000, 2_000), false);
  pace.started(1_000, share);
  pace.ended(1_010);
  assert.equal(pace.mayBegin(1_100, 1_200), true);
  assert.equal(pace.mayBegin(1_100, 1_105), false, 'it would delay the next that is due');
});
