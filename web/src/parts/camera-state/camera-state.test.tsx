import { render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { chooseLanguage, translate } from '#lib/i18n.ts';
import { brokenCameras, cameraStates, nowMs, type KnownState } from '#testing/camera-states.ts';
import { everySentence } from '#testing/every-sentence.ts';
import { aCamera, someHealth } from '#testing/cameras.ts';
import { noView, viewFactsOf } from './camera-facts.ts';
import { cameraState, type CameraState } from './camera-state.ts';
import { CameraStateLine } from './camera-state-line.tsx';
import { useCameraState } from './use-camera-state.ts';

beforeAll(everySentence);
beforeEach(() => vi.useFakeTimers({ now: nowMs }));
afterEach(async () => {
  vi.useRealTimers();
  await chooseLanguage('en');
});

const stateOf = ({ camera, view, knownAtMs }: KnownState): CameraState =>
  cameraState(translate, { camera, view, knownAtMs }, nowMs);

test.each(cameraStates)('C-513 $of: $sentence ($tone)', (state) => {
  expect(stateOf(state)).toEqual({ sentence: state.sentence, tone: state.tone });
});

test('there are forty states and more, and each is shown once', () => {
  expect(cameraStates.length).toBeGreaterThanOrEqual(40);
  expect(new Set(cameraStates.map(({ of }) => of)).size).toBeGreaterThanOrEqual(40);
});

test.each(['en', 'az', 'ru', 'tr'] as const)(
  'C-513 in %s each has words of its own',
  async (language) => {
    await chooseLanguage(language);
    for (const state of cameraStates) {
      const { sentence } = stateOf(state);
      expect(sentence).not.toMatch(/\{\{|\b(?:cameraState|recordingControl|ingest|player)\./);
      if (language !== 'en')
        expect(sentence, state.of).not.toBe(state.sentence === 'Live' ? '' : state.sentence);
    }
    const causes = brokenCameras.map((camera) =>
      cameraState(translate, { camera, view: noView, knownAtMs: null }, nowMs),
    );
    expect(new Set(causes.map(({ sentence }) => sentence)).size).toBe(brokenCameras.length);
  },
);

test('nothing is good where it is not known that video comes, and only the camera is blamed for its silence', () => {
  for (const state of cameraStates) {
    const { camera, view } = state;
    const isLive = camera.status === 'active' && camera.has_url && camera.health.state === 'live';
    const gets = view.kind === 'none' || view.kind === 'playing';
    if (!isLive || !gets || state.knownAtMs !== null)
      expect(stateOf(state).tone, state.of).not.toBe('success');
    if (isLive && !gets)
      expect(stateOf(state).sentence, state.of).not.toMatch(/^Live|isn't sending|can't be reached/);
  }
});

test('the state of the player becomes the viewer’s', () => {
  expect(viewFactsOf({ kind: 'idle' }, null)).toEqual(noView);
  expect(viewFactsOf({ kind: 'starting' }, null)).toEqual({ kind: 'opening' });
  expect(viewFactsOf({ kind: 'playing' }, null)).toEqual({ kind: 'playing' });
  const late = { fault: 'device', ageMs: 3000 } as const;
  expect(viewFactsOf({ kind: 'playing' }, late)).toEqual({ kind: 'late', ...late });
  expect(viewFactsOf({ kind: 'connecting' }, late)).toEqual({ kind: 'opening' });
});

function Line({ retryAt }: { retryAt: string }) {
  const health = someHealth({ state: 'offline', cause: 'password_refused', retry_at: retryAt });
  return (
    <CameraStateLine state={useCameraState(aCamera({ health, recording_state: 'recording' }))} />
  );
}

test('C-513 the next try comes nearer by itself, and colour is not the only sign', () => {
  render(<Line retryAt={new Date(nowMs + 40_000).toISOString()} />);
  const line = () => screen.getByText(/the camera refused the password/);
  expect(line()).toHaveTextContent('Next try in 40 sec');
  vi.advanceTimersByTime(0);
});
