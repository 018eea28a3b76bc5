import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aSnooze, alertPage, anAlert, openAlerts } from '#testing/alerts.ts';
import { anId } from '#testing/builders.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import type { Alert } from '@nazar/contract/alerts.ts';
import type { Snooze } from '@nazar/contract/snoozes.ts';
import { newcomers } from './newcomers.ts';

/** Counts the tones that are begun; two are one sound. */
let tones = 0;
let state: AudioContextState = 'running';

class FakeContext {
  readonly currentTime = 0;
  get state() {
    return state;
  }
  resume() {
    return Promise.resolve();
  }
  close() {
    return Promise.resolve();
  }
}
class FakeNode {
  readonly gain = {
    setValueAtTime: vi.fn<() => void>(),
    linearRampToValueAtTime: vi.fn<() => void>(),
  };
  connect(to: unknown) {
    return to;
  }
  start() {
    tones += 1;
  }
  stop() {}
}

const fakes = { AudioContext: FakeContext, GainNode: FakeNode, OscillatorNode: FakeNode };

beforeEach(() => {
  tones = 0;
  state = 'running';
  Object.assign(globalThis, fakes);
});
afterEach(async () => {
  const button = screen.queryByRole('button', { name: 'Sound for new alerts', pressed: true });
  if (button) await userEvent.click(button);
  cleanup();
  for (const name of Object.keys(fakes)) Reflect.deleteProperty(globalThis, name);
});

const at = (minute: number) => `2026-03-04T05:0${minute}:00.000Z`;
const old = anAlert({ title: 'Old', created_at: at(1) });

async function open(snoozes: Snooze[] = []) {
  let rows: Alert[] = [old];
  const asked = await openAlerts({ alerts: () => alertPage(rows), snoozes });
  await screen.findByRole('button', { name: 'Old' });
  const come = async (...more: Alert[]) => {
    const before = asked.length;
    rows = [...more, ...rows];
    act(() => FakeSocket.opened.at(-1)?.receive({ kind: 'changed', what: 'alerts' }));
    await waitFor(() => expect(asked.length).toBeGreaterThan(before + 1));
  };
  return { come, asked };
}
const button = () => screen.getByRole('button', { name: 'Sound for new alerts' });

test('no sound is made before it is turned on; then one for each arrival, three for a critical one', async () => {
  const { come, asked } = await open();
  expect(button()).toHaveAttribute('aria-pressed', 'false');
  await userEvent.click(button());
  expect(button()).toHaveAttribute('aria-pressed', 'true');
  expect(localStorage.getItem('alert-sound')).toBe('on');
  await waitFor(() => expect(asked.at(-1)!.url.searchParams.get('status')).toBe('new'));
  expect(tones).toBe(0);
  await come(anAlert({ created_at: at(2) }), anAlert({ created_at: at(2) }));
  await waitFor(() => expect(tones).toBe(2));
  await come(anAlert({ created_at: at(3), level: 'critical' }));
  await waitFor(() => expect(tones).toBe(2 + 6));
});

test('an alert of a snoozed camera makes no sound, one of another camera does', async () => {
  const { come } = await open([aSnooze()]);
  await userEvent.click(button());
  await come(anAlert({ created_at: at(2), level: 'critical' }));
  await come(anAlert({ created_at: at(3), camera: anId() }));
  await waitFor(() => expect(tones).toBe(2));
});

test('where the browser holds the sound back, the page says so', async () => {
  state = 'suspended';
  await open();
  await userEvent.click(button());
  const sentence = 'Press anywhere on the page so that the browser plays the sound.';
  expect(await screen.findByText(sentence)).toBeVisible();
  state = 'running';
  await userEvent.click(document.body);
  await waitFor(() => expect(screen.queryByText(sentence)).toBeNull());
});

test('an alert that comes back into an answer is no newcomer', () => {
  const alert = (id: string, minute: number) =>
    ({ id, created_at: at(minute), level: 'info' }) as const;
  const first = newcomers(null, [alert('b', 2), alert('a', 1)]);
  expect(first.came).toEqual([]);
  const second = newcomers(first.known, [alert('c', 3), alert('b', 2)]);
  expect(second.came.map(({ id }) => id)).toEqual(['c']);
  // a was pushed off and is listed again; d was raised in the same moment as c.
  const third = newcomers(second.known, [alert('d', 3), alert('c', 3), alert('a', 1)]);
  expect(third.came.map(({ id }) => id)).toEqual(['d']);
  expect(newcomers(third.known, []).came).toEqual([]);
});
