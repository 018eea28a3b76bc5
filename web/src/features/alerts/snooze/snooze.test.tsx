/** Snoozing from an alert and by key, what is snoozed above the list, and that its alerts make no sound. */
import { snoozeRoutes } from '@nazar/contract/snoozes.ts';
import { alertRoutes, type AlertDetails } from '@nazar/contract/alerts.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import {
  aSnooze,
  alertDetails,
  alertPage,
  anAlert,
  lobby,
  openAlerts,
  plainUser,
} from '#testing/alerts.ts';
import { aUser, anId } from '#testing/builders.ts';
import { answer, refusal } from '#testing/server.ts';

const minuteMs = 60_000;

async function openAlert(over: Partial<AlertDetails> = {}, user = plainUser()) {
  const alert = alertDetails(over);
  answer(alertRoutes.read, alert);
  await openAlerts({ alerts: () => alertPage([alert]), more: `?alert=${alert.id}`, user });
  return { alert, window: await screen.findByRole('dialog', { name: alert.title }) };
}

test('the camera of an alert is snoozed for an hour by two presses, for the reader alone', async () => {
  const { window } = await openAlert();
  const sent = answer(snoozeRoutes.add, aSnooze());
  await userEvent.click(within(window).getByRole('button', { name: 'Snooze...' }));
  const dialog = await screen.findByRole('dialog', { name: 'Snooze notifications' });
  expect(within(dialog).queryByRole('checkbox')).toBeNull();
  const before = Date.now();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Snooze' }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  const { until, ...body } = sent[0]!.body as { until: string };
  expect(body).toEqual({ camera: lobby.id, rule: null, for_everyone: false });
  const lastsMs = Date.parse(until) - before;
  expect(lastsMs).toBeGreaterThanOrEqual(60 * minuteMs);
  expect(lastsMs).toBeLessThan(61 * minuteMs);
});

test('an administrator snoozes the rule of a dismissed alert for everyone, and reads what is refused', async () => {
  const { alert, window } = await openAlert({ status: 'dismissed' }, aUser());
  await userEvent.click(within(window).getByRole('button', { name: 'Snooze...' }));
  const dialog = await screen.findByRole('dialog', { name: 'Snooze notifications' });
  await userEvent.selectOptions(
    within(dialog).getByRole('combobox', { name: 'Of what' }),
    'All alerts of this rule: Unknown person',
  );
  await userEvent.click(within(dialog).getByRole('radio', { name: '15 min' }));
  await userEvent.click(within(dialog).getByRole('checkbox', { name: /For everyone/ }));
  const sent = answer(snoozeRoutes.add, refusal(409, 'snoozes_too_many', 'At most 100 snoozes.'));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Snooze' }));
  expect(await within(dialog).findByRole('alert')).toBeVisible();
  expect(sent[0]?.body).toMatchObject({ camera: null, rule: alert.rule, for_everyone: true });
});

test('an alert whose camera and rule are gone can not be snoozed', async () => {
  const { window } = await openAlert({ camera: null, camera_name: null, rule: null });
  expect(within(window).queryByRole('button', { name: 'Snooze...' })).toBeNull();
});

test('Z snoozes the alert that has the focus', async () => {
  const alert = anAlert();
  await openAlerts({ alerts: () => alertPage([alert]) });
  await screen.findByRole('button', { name: alert.title });
  await userEvent.keyboard('jz');
  expect(await screen.findByRole('dialog', { name: 'Snooze notifications' })).toBeVisible();
});

test('what is snoozed stands above the list until it ends, and is ended by who may', async () => {
  const own = aSnooze();
  const ofEveryone = aSnooze({
    camera: null,
    camera_name: null,
    rule: anId(),
    rule_kind: 'camera_down',
    for_everyone: true,
    may_end: false,
  });
  const over = aSnooze({ camera_name: 'Yard', until: new Date(Date.now() - 10_000).toISOString() });
  await openAlerts({ snoozes: [own, ofEveryone, over], user: plainUser() });
  const list = await screen.findByRole('list', { name: 'Snoozed' });
  const [first, second, ...more] = within(list).getAllByRole('listitem');
  expect(more).toEqual([]);
  expect(first).toHaveTextContent(/^Lobby: snoozed until \d\d:\d\d/);
  expect(second).toHaveTextContent(/^Camera offline or refused: snoozed until .* · for everyone$/);
  const sent = answer(snoozeRoutes.remove, null);
  answer(snoozeRoutes.list, { results: [ofEveryone] });
  await userEvent.click(within(list).getByRole('button', { name: 'End the snooze of Lobby' }));
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(1));
  expect(sent[0]?.params['id']).toBe(own.id);
});
