import { alertRoutes } from '@nazar/contract/alerts.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { alertChanges, alertRefusals } from '#api/offline-alerts.ts';
import { alertPage, anAlert, openAlerts, someCounts } from '#testing/alerts.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { answer } from '#testing/server.ts';
import { commandOf } from './alert-keys.ts';
import { setShortcuts } from './shortcuts.ts';

const lobby = anAlert({ title: 'Unknown person at Lobby' });
const gate = anAlert({ title: 'Unknown person at Gate', status: 'in_progress' });
const yard = anAlert({ title: 'Unknown person at Yard' });
const titled = (title: string) => screen.findByRole('button', { name: title });

beforeEach(() => {
  alertChanges.set(new Map());
  alertRefusals.set([]);
  setShortcuts('on');
});

const open = async () => {
  let rows = [lobby, gate, yard];
  const changed = answer(alertRoutes.updateStatus, ({ url, body }) => {
    const row = rows.find(({ id }) => url.pathname.includes(id))!;
    const next = { ...row, ...(body as object) };
    rows = rows.filter(({ id }) => id !== row.id);
    return next;
  });
  await openAlerts({ alerts: () => alertPage(rows) });
  await titled(lobby.title);
  return changed;
};

test('J and K go through the list, and stop at its ends', async () => {
  await open();
  await userEvent.keyboard('j');
  expect(await titled(lobby.title)).toHaveFocus();
  await userEvent.keyboard('jj');
  expect(await titled(yard.title)).toHaveFocus();
  await userEvent.keyboard('j');
  expect(await titled(yard.title)).toHaveFocus();
  await userEvent.keyboard('k');
  expect(await titled(gate.title)).toHaveFocus();
});

test('A, D and R act on the focused alert where its status allows it, and the next one gets the focus', async () => {
  const changed = await open();
  // No alert has the focus: nothing is done to any.
  await userEvent.keyboard('d');
  // An alert in progress can neither be taken nor dismissed.
  await userEvent.keyboard('jjad');
  expect(changed).toHaveLength(0);
  await userEvent.keyboard('kd');
  await waitFor(() => expect(changed).toHaveLength(1));
  expect(changed[0]!.url.pathname).toContain(lobby.id);
  expect(changed[0]!.body).toEqual({ status: 'dismissed' });
  await waitFor(async () => expect(await titled(gate.title)).toHaveFocus());
  await userEvent.keyboard('r');
  const dialog = await screen.findByRole('dialog', { name: 'Resolve alert' });
  // Letters belong to the dialog now.
  await userEvent.keyboard('jd');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Resolve' }));
  await waitFor(() => expect(changed).toHaveLength(2));
  expect(changed[1]!.url.pathname).toContain(gate.id);
});

test('S selects the focused alert, and fields get their letters', async () => {
  await open();
  await userEvent.keyboard('js');
  expect(screen.getByRole('checkbox', { name: `Select: ${lobby.title}` })).toBeChecked();
  await userEvent.keyboard('s');
  expect(screen.getByRole('checkbox', { name: `Select: ${lobby.title}` })).not.toBeChecked();
  const status = screen.getByRole('combobox', { name: 'Status' });
  status.focus();
  await userEvent.keyboard('j');
  expect(status).toHaveFocus();
});

test('? lists the keys, and they can be turned off there', async () => {
  const changed = await open();
  await userEvent.keyboard('?');
  const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const words of ['Next alert', 'Previous alert', 'Assign to me', 'Resolve', 'Dismiss']) {
    expect(within(sheet).getByText(words)).toBeVisible();
  }
  await userEvent.click(within(sheet).getByRole('switch', { name: 'Use keyboard shortcuts' }));
  await userEvent.keyboard('{Escape}');
  (await titled(lobby.title)).focus();
  await userEvent.keyboard('d?');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(changed).toHaveLength(0);
  expect(localStorage.getItem('shortcuts')).toBe('off');
  // The way back is by the pointer.
  await userEvent.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }));
  await userEvent.click(await screen.findByRole('switch', { name: 'Use keyboard shortcuts' }));
  expect(localStorage.getItem('shortcuts')).toBeNull();
});

test('the title of the document says how many alerts are new, and nothing where there is none', async () => {
  await open();
  await waitFor(() => expect(document.title).toBe('(1) Alerts · Nazar'));
  answer(alertRoutes.counts, someCounts({ new: 0 }));
  act(() => FakeSocket.opened.at(-1)?.receive({ kind: 'changed', what: 'alerts' }));
  await waitFor(() => expect(document.title).toBe('Alerts · Nazar'));
});

const key = (code: string, more: Partial<KeyboardEvent> = {}) =>
  commandOf({
    code,
    key: '',
    shiftKey: false,
    ctrlKey: false,
    altKey: false,
    metaKey: false,
    repeat: false,
    ...more,
  });

test('keys count by their place, alone, and act once while they are held', () => {
  expect(key('KeyJ', { key: 'о' })).toBe('next');
  expect(key('KeyJ', { repeat: true })).toBe('next');
  expect(key('KeyD')).toBe('dismiss');
  expect(key('KeyD', { repeat: true })).toBeNull();
  for (const held of ['shiftKey', 'ctrlKey', 'altKey', 'metaKey'] as const) {
    expect(key('KeyD', { [held]: true })).toBeNull();
  }
  expect(key('Digit7', { key: '?', shiftKey: true })).toBe('keys');
  expect(key('Slash')).toBeNull();
});
