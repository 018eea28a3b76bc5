import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aClock } from '#testing/clock.ts';
import { CameraCosts } from './camera-costs.ts';
import type { AnalysisCounts, StageTimes } from '../protocol/stage-times.ts';

const times = (overMs: number, decode: number, detect = 0, record = 0): StageTimes => ({
  overMs,
  spentMs: { decode, detect, record },
  analysis: { movingMs: 5_000, offered: 125, analyzed: 24, failed: 0 },
});

const five = { mostAnalysisFps: 5, askedFps: 5 };

test('a camera costs what its host spent and what was embedded meanwhile, in cores', () => {
  const clock = aClock(Date.UTC(2026, 0, 15, 12));
  const costs = new CameraCosts(clock);
  costs.embedded('a', 500);
  costs.reported('a', times(10_000, 1_200, 3_000, 50), five);
  assert.deepEqual(costs.of('a'), {
    measured_at: '2026-01-15T12:00:00.000Z',
    over_s: 10,
    decode: 0.12,
    detect: 0.3,
    // It was not counted over the time of the report.
    embed: null,
    record: 0.005,
    analyzed_fps: 4.8,
    analysis_limit: null,
  });
  costs.embedded('a', 100);
  costs.embedded('a', 60);
  clock.advance(8_000);
  costs.reported('a', times(10_000, 20_000), five);
  const { decode, embed, record } = costs.of('a');
  assert.deepEqual({ decode, embed, record }, { decode: 2, embed: 0.02, record: 0 });
  clock.advance(8_000);
  costs.reported('a', times(8_000, 0), five);
  assert.equal(costs.of('a').embed, 0, 'what was embedded earlier is not counted again');
});

test('an old cost, one of a camera that is gone or of no time is no figure', () => {
  const clock = aClock();
  const costs = new CameraCosts(clock);
  const isMeasured = (id: string): boolean => costs.of(id).decode !== null;
  costs.reported('a', times(0, 0), five);
  assert.equal(isMeasured('a'), false);
  costs.reported('a', times(10_000, 10), five);
  costs.reported('b', times(10_000, 10), five);
  clock.advance(30_000);
  assert.deepEqual([isMeasured('a'), isMeasured('b'), isMeasured('c')], [true, true, false]);
  costs.forget('b');
  assert.equal(isMeasured('b'), false);
  clock.advance(1);
  assert.equal(isMeasured('a'), false);
  assert.equal(costs.of('a').measured_at, null);
});

test('~CAM-034 fewer frames than asked for are blamed on what keeps them down, and on nothing else', () => {
  const costs = new CameraCosts(aClock());
  const said = (
    analysis: Partial<AnalysisCounts>,
    askedFps: number,
    mostAnalysisFps = askedFps,
  ) => {
    const counts = { movingMs: 10_000, offered: 250, analyzed: 0, failed: 0, ...analysis };
    costs.reported('a', { ...times(10_000, 0), analysis: counts }, { mostAnalysisFps, askedFps });
    const { analyzed_fps, analysis_limit } = costs.of('a');
    return [analyzed_fps, analysis_limit];
  };
  assert.deepEqual(said({ analyzed: 148 }, 15), [14.8, null]);
  assert.deepEqual(said({ analyzed: 100 }, 15), [10, 'machine']);
  assert.deepEqual(said({ analyzed: 95, offered: 100 }, 15), [9.5, 'camera']);
  assert.deepEqual(said({ analyzed: 60, offered: 100 }, 15), [6, 'machine'], 'both: it sends more');
  assert.deepEqual(said({ analyzed: 30 }, 15, 3), [3, 'mode']);
  assert.deepEqual(said({ analyzed: 20, failed: 9 }, 15), [2, null], 'no vision host answered');
  assert.deepEqual(
    said({ analyzed: 5, movingMs: 900 }, 15),
    [null, null],
    'nothing moved for long',
  );
});
