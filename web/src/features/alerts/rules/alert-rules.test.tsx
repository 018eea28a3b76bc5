import { alertRuleRoutes, type AlertRule } from '@nazar/contract/alerts.ts';
import { faceRoutes } from '@nazar/contract/faces.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { aRule, lobby, openAlerts, plainUser } from '#testing/alerts.ts';
import { anId } from '#testing/builders.ts';
import { answer, refusal } from '#testing/server.ts';

const vip = { id: anId(), name: 'vip', color: '#2563eb' };

let rules: AlertRule[];
beforeEach(() => {
  rules = [
    aRule(),
    aRule({
      kind: 'watched_person',
      level: 'critical',
      cameras: [lobby.id],
      categories: [vip.id],
    }),
  ];
  answer(faceRoutes.categories, { results: [vip] });
});

const unknown = 'When an unknown person is seen at any camera, raise a warning.';
const watched = 'When a person of VIP is seen at Lobby, raise a critical alert.';

test('administrators read each rule as a sentence, and turn it off', async () => {
  await openAlerts({ more: '?tab=rules', rules });
  expect(await screen.findByText(unknown)).toBeVisible();
  expect(await screen.findByText(watched)).toBeVisible();
  const sent = answer(alertRuleRoutes.change, { ...rules[0]!, is_enabled: false });
  await userEvent.click(screen.getByRole('switch', { name: `Rule is on: ${unknown}` }));
  await waitFor(() => expect(sent[0]?.body).toEqual({ is_enabled: false }));
  expect(sent[0]?.params['id']).toBe(rules[0]!.id);
});

test('no other user sees the rules, whatever the address says', async () => {
  await openAlerts({ more: '?tab=rules', user: plainUser() });
  expect(await screen.findByRole('list', { name: 'Alerts' })).toBeVisible();
  expect(screen.queryByRole('tab')).toBeNull();
});

test('a rule is added: its kind, level, cameras and categories, and what is missing is said first', async () => {
  await openAlerts({ more: '?tab=rules', rules: [] });
  await screen.findByText('No rules');
  const sent = answer(alertRuleRoutes.add, rules[1]!);
  await userEvent.click(screen.getByRole('button', { name: 'Add rule' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add rule' });
  await userEvent.selectOptions(
    within(dialog).getByRole('combobox', { name: "What it's about" }),
    'Person of a category',
  );
  await userEvent.selectOptions(
    within(dialog).getByRole('combobox', { name: 'Level' }),
    'Critical',
  );
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Selected cameras' }));
  const save = within(dialog).getByRole('button', { name: 'Save' });
  await userEvent.click(save);
  expect(within(dialog).getByText('Choose at least one camera.')).toBeVisible();
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Lobby' }));
  await userEvent.click(save);
  expect(within(dialog).getByText('Choose at least one category.')).toBeVisible();
  await userEvent.click(await within(dialog).findByRole('checkbox', { name: 'VIP' }));
  expect(within(dialog).getByText(watched)).toBeVisible();
  const quiet = within(dialog).getByRole('textbox', { name: 'Quiet time in minutes' });
  await userEvent.clear(quiet);
  await userEvent.type(quiet, '2000');
  await userEvent.click(save);
  expect(within(dialog).getByText('Enter 1 to 1,440 minutes.')).toBeVisible();
  await userEvent.clear(quiet);
  await userEvent.type(quiet, '30');
  await userEvent.click(save);
  await waitFor(() =>
    expect(sent[0]?.body).toEqual({
      kind: 'watched_person',
      level: 'critical',
      is_enabled: true,
      cameras: [lobby.id],
      categories: [vip.id],
      quiet_minutes: 30,
    }),
  );
});

test('a rule is deleted after a question that names it; what is refused stands there', async () => {
  await openAlerts({ more: '?tab=rules', rules });
  await userEvent.click(await screen.findByRole('button', { name: `Delete: ${unknown}` }));
  const asks = await screen.findByRole('alertdialog', { name: 'Delete rule?' });
  expect(asks).toHaveTextContent(unknown);
  answer(alertRuleRoutes.remove, refusal(404, 'alert_rule_not_found', 'It is gone.'));
  await userEvent.click(within(asks).getByRole('button', { name: 'Delete rule' }));
  expect(await within(asks).findByText('It is gone.')).toBeVisible();
  const sent = answer(alertRuleRoutes.remove, undefined as never);
  await userEvent.click(within(asks).getByRole('button', { name: 'Delete rule' }));
  await waitFor(() => expect(sent[0]?.params['id']).toBe(rules[0]!.id));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});
