import { cameraRoutes } from '@nazar/contract/cameras.ts';
import {
  webhookDeliveryRoutes,
  webhookRoutes,
  type Webhook,
  type WebhookDelivery,
} from '@nazar/contract/webhooks.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aUser, anId } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal } from '#testing/server.ts';
import { aDelivery, aWebhook } from '#testing/webhooks.ts';

interface Given {
  readonly webhooks?: readonly Webhook[];
  readonly deliveries?: readonly WebhookDelivery[];
  readonly more?: string;
}

async function open({ webhooks = [], deliveries = [], more = '' }: Given = {}) {
  answer(webhookRoutes.list, { results: [...webhooks] });
  const asked = answer(webhookDeliveryRoutes.list, {
    count: deliveries.length,
    results: [...deliveries],
  });
  await renderApp({ path: `/settings/webhooks${more}`, user: aUser() });
  await screen.findByRole('heading', { level: 1, name: 'Webhooks' });
  return asked;
}
const list = () => screen.findByRole('list', { name: 'Webhooks' });
const secret = 'whsec_c2VjcmV0';

test('each webhook says how it is doing, and what it may learn', async () => {
  await open({
    webhooks: [
      aWebhook(),
      aWebhook({
        name: 'Pager',
        content: 'people',
        failures: 6,
        paused_until: '2026-03-04T05:06:07.000Z',
        waiting: 3,
        failed: 2,
      }),
      aWebhook({ name: 'Old', is_enabled: false, is_gone: true, last_delivered_at: null }),
    ],
  });
  const rows = within(await list()).getAllByRole('listitem');
  expect(rows.map((row) => within(row).getByText(/Working|Failing|Ended/).textContent)).toEqual([
    'Working',
    'Failing',
    'Ended by the receiver',
  ]);
  expect(rows[0]).toHaveTextContent('https://192.168.1.20');
  expect(rows[0]).toHaveTextContent('Only that something happened');
  expect(rows[1]).toHaveTextContent('With names of cameras and people, and a link');
  expect(rows[1]).toHaveTextContent('3 events waiting');
  expect(rows[1]).toHaveTextContent('Failed 6 times in a row.');
  expect(rows[2]).toHaveTextContent('The receiver answered 410');
});

test('a new webhook is sent as it was typed, and its secret is shown once', async () => {
  const lobby = { id: anId(), name: 'Lobby' };
  answer(cameraRoutes.list, { count: 1, results: [lobby] } as never);
  await open();
  expect(await screen.findByText('No webhooks')).toBeVisible();
  const sent = answer(webhookRoutes.add, { ...aWebhook({ name: 'Pager' }), secret });
  const person = userEvent.setup();
  await person.click(screen.getByRole('button', { name: 'Add webhook' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add webhook' });
  const inside = within(dialog);
  await person.click(inside.getByRole('button', { name: 'Save' }));
  expect(await inside.findAllByText('This field is required.')).toHaveLength(2);
  await person.type(inside.getByLabelText(/^Name/), 'Pager');
  await person.type(inside.getByLabelText(/^Address/), 'https://pager.example.org/hook?t=1');
  await person.click(inside.getByRole('radio', { name: /what you call your cameras/ }));
  await person.click(inside.getByRole('radio', { name: 'Selected cameras' }));
  await person.click(inside.getByRole('button', { name: 'Save' }));
  expect(await inside.findByText('Choose at least one camera.')).toBeVisible();
  expect(sent).toHaveLength(0);
  await person.click(await inside.findByRole('checkbox', { name: 'Lobby' }));
  await person.click(inside.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('dialog', { name: '“Pager” was added' })).toBeVisible();
  expect(sent[0]?.body).toEqual({
    name: 'Pager',
    address: 'https://pager.example.org/hook?t=1',
    content: 'cameras',
    least_level: 'warning',
    kinds: null,
    cameras: [lobby.id],
    allow_loopback: false,
    is_enabled: true,
  });
  expect(screen.getByRole('textbox', { name: 'Secret' })).toHaveValue(secret);
  await person.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByDisplayValue(secret)).toBeNull());
});

test('an address that is left empty stays, and a refusal stands beside its field', async () => {
  const webhook = aWebhook();
  answer(cameraRoutes.list, { count: 0, results: [] });
  await open({ webhooks: [webhook] });
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'Edit: Home automation' }));
  const inside = within(await screen.findByRole('dialog', { name: 'Edit webhook' }));
  const address = inside.getByLabelText(/^Address/);
  expect(address).toHaveValue('');
  const refused = answer(webhookRoutes.change, () =>
    fieldRefusal({ address: ['This address is this server itself.'] }),
  );
  await person.type(address, 'http://127.0.0.1/');
  await person.click(inside.getByRole('button', { name: 'Save' }));
  expect(await inside.findByText('This address is this server itself.')).toBeVisible();
  expect(refused).toHaveLength(1);
  const sent = answer(webhookRoutes.change, webhook);
  await person.clear(address);
  await person.click(inside.getByRole('button', { name: 'Save' }));
  await screen.findByText('The webhook was saved.');
  expect(Object.keys(sent[0]?.body as object).toSorted()).toEqual(
    ['allow_loopback', 'cameras', 'content', 'kinds', 'least_level', 'name'].toSorted(),
  );
});

test('a test says at once what the receiver answered, and can be made again', async () => {
  const webhook = aWebhook();
  await open({ webhooks: [webhook] });
  const failed = { is_delivered: false, status: 500, fault: 'status', took_ms: 34 } as const;
  answer(webhookRoutes.test, failed);
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'Test: Home automation' }));
  const inside = within(await screen.findByRole('dialog', { name: 'Test “Home automation”' }));
  expect(await inside.findByText(/wasn't delivered\. The receiver refused it/)).toBeVisible();
  expect(inside.getByText('HTTP 500')).toBeVisible();
  expect(inside.getByText('34 ms')).toBeVisible();
  answer(webhookRoutes.test, { is_delivered: true, status: 204, fault: null, took_ms: 5 });
  await person.click(inside.getByRole('button', { name: 'Test again' }));
  expect(await inside.findByText('The receiver took the test.')).toBeVisible();
});

test('another secret is made, shown once, and the old one can be ended', async () => {
  const webhook = aWebhook({ old_secret_until: '2026-03-05T05:06:07.000Z' });
  await open({ webhooks: [webhook] });
  const ended = answer(webhookRoutes.endOldSecret, webhook);
  const person = userEvent.setup();
  const press = async (): Promise<void> =>
    person.click(await screen.findByRole('button', { name: 'Secret: Home automation' }));
  await press();
  await person.click(await screen.findByRole('button', { name: 'End the old secret now' }));
  await waitFor(() => expect(ended).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  answer(webhookRoutes.rotate, { ...webhook, secret });
  await press();
  await person.click(await screen.findByRole('button', { name: 'Make new secret' }));
  expect(await screen.findByRole('textbox', { name: 'Secret' })).toHaveValue(secret);
});

test('deleting names what goes; turning off and sending again are sent', async () => {
  const webhook = aWebhook({ failed: 2 });
  await open({ webhooks: [webhook] });
  const person = userEvent.setup();
  const again = answer(webhookRoutes.replayFailed, { count: 2 });
  await person.click(await screen.findByRole('button', { name: /^Send given-up events again/ }));
  expect(await screen.findByText('2 events are being sent again.')).toBeVisible();
  expect(again).toHaveLength(1);
  const changed = answer(webhookRoutes.change, webhook);
  await person.click(screen.getByRole('switch', { name: 'Webhook is on: Home automation' }));
  await waitFor(() => expect(changed[0]?.body).toEqual({ is_enabled: false }));
  const removed = answer(webhookRoutes.remove, null);
  await person.click(screen.getByRole('button', { name: 'Delete: Home automation' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByText(/its secret, its waiting events and its deliveries/)).toBeVisible();
  await person.click(dialog.getByRole('button', { name: 'Delete webhook' }));
  await waitFor(() => expect(removed).toHaveLength(1));
});

test('deliveries are found by what stands in the address, and sent again', async () => {
  const webhook = aWebhook();
  const failed = aDelivery({ state: 'failed', status: null, fault: 'timeout', tries: 9 });
  const tested = aDelivery({ event: 'webhook.test' });
  const waiting = aDelivery({ state: 'waiting', next_try_at: '2026-03-04T06:06:07.000Z' });
  const asked = await open({
    webhooks: [webhook],
    deliveries: [failed, tested, waiting],
    more: `?webhook=${webhook.id}&state=failed&from=2026-03-04&order=created_at`,
  });
  await screen.findByText(/No answer within 10 seconds/);
  const { start_date: from, ...query } = Object.fromEntries(asked[0]!.url.searchParams);
  expect(query).toMatchObject({
    receiver: webhook.id,
    state: 'failed',
    ordering: 'created_at',
  });
  expect(from).toMatch(/^2026-03-0[34]T/);
  const buttons = screen.getAllByRole('button', { name: /^Send again: / });
  expect(buttons).toHaveLength(1);
  const sent = answer(webhookDeliveryRoutes.replay, failed);
  await userEvent.click(buttons[0]!);
  await waitFor(() => expect(sent[0]?.params['id']).toBe(failed.id));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Waiting');
  await waitFor(() => expect(location.search).toContain('state=waiting'));
});

test('what cannot be loaded says so; who may not see webhooks is not asked for them', async () => {
  answer(webhookRoutes.list, refusal(500, 'internal', 'It broke.'));
  answer(webhookDeliveryRoutes.list, refusal(500, 'internal', 'It broke.'));
  await renderApp({ path: '/settings/webhooks', user: aUser() });
  expect(await screen.findByText("The webhooks couldn't be loaded")).toBeVisible();
  expect(await screen.findByText("The deliveries couldn't be loaded")).toBeVisible();
});

test('staff and users are not led to webhooks', async () => {
  const read = answer(webhookRoutes.list, { results: [] });
  const staff = aUser({ role: 'user', is_staff: true, is_superuser: false });
  await renderApp({ path: '/settings/webhooks', user: staff });
  expect(await screen.findByText("You don't have access")).toBeVisible();
  expect(read).toHaveLength(0);
});
