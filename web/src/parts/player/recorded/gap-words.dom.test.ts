import { blameOf } from '@nazar/contract/blame.ts';
import { beforeAll, expect, test } from 'vitest';
import { translate } from '#lib/i18n.ts';
import { someHealth } from '#testing/cameras.ts';
import { brokenCameras } from '#testing/camera-states.ts';
import { everySentence } from '#testing/every-sentence.ts';
import { gapBegan, gapCause, type Gaps } from './gap-cause.ts';
import { gapWords } from './gap-words.ts';

beforeAll(everySentence);

const startMs = Date.UTC(2026, 0, 15, 12);
const at = (minutes: number): number => startMs + minutes * 60_000;
const gap = (cause: Gaps[number]['cause'], from: number, until: number | null): Gaps[number] => ({
  cause,
  started_at: new Date(at(from)).toISOString(),
  ended_at: until === null ? null : new Date(at(until)).toISOString(),
});

test('a gap begins where recording ended, through each cause that followed, and not where the user pressed', () => {
  const gaps = [gap('network', 3, 7), gap('restart', 7, 8), gap('network', 8, null)];
  const pressed = { fromMs: at(20), untilMs: at(30) };
  expect(gapBegan(gaps, pressed)).toBe(at(3));
  expect(gapCause(gaps, { ...pressed, fromMs: at(3) })).toBe('network');
  expect(gapBegan([gap('network', 3, 7), gap('restart', 9, null)], pressed)).toBe(at(9));
  expect(gapBegan([gap('network', 3, 7)], pressed)).toBe(at(20));
  expect(gapBegan([], pressed)).toBe(at(20));
});

test('the gap that goes on has the cause that the card names; any other says what its time says', () => {
  const health = someHealth({ state: 'stalled', cause: 'no_packets' });
  expect(gapWords(translate, 'network', health)).toBe("the camera isn't sending anything");
  expect(gapWords(translate, 'network')).toBe("the camera couldn't be reached");
  expect(gapWords(translate, 'disk', health)).toBe('the disk was full, too slow or not available');
  expect(gapWords(translate, 'network', someHealth())).toBe("the camera couldn't be reached");
});

test('a cause that the timeline has no closer words for is not contradicted: it blames the same', () => {
  const blames = ['camera', 'network', 'password', 'restart'] as const;
  for (const { health } of brokenCameras) {
    const blame = blames.find((one) => one === blameOf(health.cause));
    expect(blame, health.cause).toBeDefined();
    for (const other of blames.filter((one) => one !== blame))
      expect(gapWords(translate, other, health)).toBe(translate(`recorded.cause.${other}`));
  }
});
