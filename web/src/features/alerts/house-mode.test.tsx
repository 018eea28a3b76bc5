import { houseModeRoutes } from '@nazar/contract/house-mode.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openAlerts, plainUser } from '#testing/alerts.ts';
import { aUser } from '#testing/builders.ts';
import { answer, refusal } from '#testing/server.ts';

const since = '2026-03-04T05:06:07.000Z';
const operator = () => aUser({ role: 'operator', is_staff: false, is_superuser: false });

test('an operator changes the mode of the house, and reads since when it holds', async () => {
  await openAlerts({ user: operator(), mode: { mode: 'home', since } });
  const control = await screen.findByRole('group', { name: 'Mode' });
  expect(within(control).getByRole('radio', { name: 'Home' })).toBeChecked();
  expect(screen.getByText(/^Since Mar 4, 2026/)).toBeVisible();
  const sent = answer(houseModeRoutes.change, { mode: 'off', since });
  answer(houseModeRoutes.read, { mode: 'off', since });
  await userEvent.click(within(control).getByRole('radio', { name: 'Off' }));
  expect(await screen.findByText('Rules about people raise nothing now.')).toBeVisible();
  expect(sent[0]?.body).toEqual({ mode: 'off' });
  expect(within(control).getByRole('radio', { name: 'Off' })).toBeChecked();
});

test('a change that is refused is taken back, with the reason', async () => {
  await openAlerts({ mode: { mode: 'away', since: null } });
  const control = await screen.findByRole('group', { name: 'Mode' });
  answer(houseModeRoutes.change, refusal(403, 'forbidden', 'You may not do this.'));
  await userEvent.click(within(control).getByRole('radio', { name: 'Home' }));
  expect(await screen.findByText('You may not do this.')).toBeVisible();
  await waitFor(() => expect(within(control).getByRole('radio', { name: 'Away' })).toBeChecked());
});

test('other users read the mode and are offered no change', async () => {
  await openAlerts({ user: plainUser(), mode: { mode: 'away', since } });
  expect(await screen.findByText('Mode: Away')).toBeVisible();
  expect(screen.queryByRole('radio', { name: 'Away' })).toBeNull();
});
