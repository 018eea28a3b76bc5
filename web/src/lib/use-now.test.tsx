import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { TimeAgo } from '#parts/time-ago.tsx';
import type { ViewFacts } from '#parts/camera-state/camera-facts.ts';
import { useCameraState } from '#parts/camera-state/use-camera-state.ts';
import { aCamera } from '#testing/cameras.ts';
import { everySentence } from '#testing/every-sentence.ts';
import { useNow } from './use-now.ts';

beforeAll(everySentence);
/** Within a second, as moments are. */
const startMs = Date.parse('2026-05-04T10:00:00.700Z');
beforeEach(() => void vi.useFakeTimers({ now: startMs }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));

function Sentence({ view }: { view: ViewFacts }) {
  return <p>{useCameraState(aCamera(), { view }).sentence}</p>;
}

test('~LIVE-021 a pause of 5 s counts down from 5, also after a minute of playing', () => {
  const { rerender, container } = render(<Sentence view={{ kind: 'playing' }} />);
  pass(58_000);
  const said: string[] = [];
  const atMs = Date.now() + 5000;
  rerender(<Sentence view={{ kind: 'reconnecting', why: 'lost', sentence: null, atMs }} />);
  for (let second = 0; second < 5; second += 1) {
    said.push(container.textContent);
    pass(1000);
  }
  expect(said).toEqual(
    [5, 4, 3, 2, 1].map((left) => `The connection to Nazar was lost. Reconnecting in ${left} sec`),
  );
});

test('two moments of one screen are said by one clock, whenever each came onto it', () => {
  const at = (ms: number): string => new Date(startMs + ms).toISOString();
  const list = (moments: readonly number[]) =>
    moments.map((ms) => <TimeAgo key={ms} at={at(ms)} />);
  const ages = (): string[] =>
    screen.getAllByRole('time').map(({ textContent }) => textContent.split(' · ')[0]!);
  const { rerender } = render(list([-2000]));
  pass(11_000);
  rerender(list([11_000, 0, -2000]));
  expect(ages()).toEqual(['now', 'now', '11 seconds ago']);
  pass(15_000);
  expect(ages()).toEqual(['13 seconds ago', '24 seconds ago', '26 seconds ago']);
});

test('a component that reads the clock is rendered at each step, and no longer once it is gone', () => {
  const seen: number[] = [];
  function Clock({ ticking }: { ticking: boolean }) {
    seen.push(useNow(ticking));
    return null;
  }
  const { rerender, unmount } = render(<Clock ticking />);
  pass(1000);
  pass(1000);
  expect(new Set(seen)).toEqual(new Set([0, 1000, 2000].map((ms) => startMs - 700 + ms)));
  rerender(<Clock ticking={false} />);
  const rendered = seen.length;
  pass(5000);
  expect(seen).toHaveLength(rendered);
  rerender(<Clock ticking={false} />);
  expect(seen.at(-1)).toBe(startMs + 6300);
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
