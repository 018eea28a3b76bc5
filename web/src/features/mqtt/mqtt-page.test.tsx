import { faceRoutes } from '@nazar/contract/faces.ts';
import { mqttFaults, mqttRoutes, type Mqtt } from '@nazar/contract/mqtt.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal } from '#testing/server.ts';

const employees = '01890000-0000-7000-8000-000000000001';
const visitors = '01890000-0000-7000-8000-000000000002';

const now: Mqtt = {
  settings: {
    enabled: true,
    url: 'mqtt://192.168.1.10',
    protocol: '5',
    username: 'nazar',
    ca: '',
    allow_local: false,
    client_id: 'nazar-12345678',
    prefix: 'nazar',
    discovery: true,
    discovery_prefix: 'homeassistant',
    categories: [],
  },
  has_password: true,
  status: {
    state: 'connected',
    connected_since: '2026-01-15T12:00:00.000Z',
    fault: null,
    dropped_alerts: 0,
    kept_topics: 12,
  },
};

async function open(status: Partial<Mqtt['status']> = {}): Promise<void> {
  answer(faceRoutes.categories, {
    results: [
      { id: employees, name: 'employee', color: '#123456' },
      { id: visitors, name: 'visitor', color: '#654321' },
    ],
  });
  answer(mqttRoutes.read, { ...now, status: { ...now.status, ...status } });
  await renderApp({ path: '/settings/mqtt', user: aUser({ role: 'admin' }) });
  await screen.findByRole('textbox', { name: /^Broker address/ });
}

test('a change is sent whole; an empty password keeps the stored one, and no category is chosen at first', async () => {
  await open();
  const person = userEvent.setup();
  const sent = answer(mqttRoutes.change, now);
  for (const name of [/^Employee/i, /^Visitor/i]) {
    expect(screen.getByRole('checkbox', { name })).not.toBeChecked();
  }
  await person.click(screen.getByRole('checkbox', { name: /^Visitor/i }));
  await person.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('The settings were saved.')).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([
    { ...now.settings, categories: [visitors], password: '' },
  ]);
});

test('a test says what the broker answered, and stores nothing', async () => {
  await open();
  const person = userEvent.setup();
  const sent = answer(mqttRoutes.change, now);
  answer(mqttRoutes.test, { fault: 'password_refused' });
  await person.type(screen.getByLabelText(/^Password/), 'another');
  await person.click(screen.getByRole('button', { name: 'Test Connection' }));
  expect(await screen.findByText(/refused the user name or password/)).toBeVisible();
  answer(mqttRoutes.test, { fault: null });
  await person.click(screen.getByRole('button', { name: 'Test Connection' }));
  expect(await screen.findByText('The broker accepted the connection.')).toBeVisible();
  expect(screen.queryByText(/refused the user name or password/)).toBeNull();
  expect(sent).toHaveLength(0);
});

test('what the server refuses stands beside its field', async () => {
  await open();
  answer(mqttRoutes.change, () => fieldRefusal({ url: ['Enter an address.'] }));
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  await screen.findByText('Enter an address.');
  expect(screen.getByRole('textbox', { name: /^Broker address/ })).toBeInvalid();
});

test.each(mqttFaults)('no connection has its sentence: %s', async (fault) => {
  await open({ state: 'waiting', connected_since: null, fault, dropped_alerts: 2 });
  const status = await screen.findByRole('region', { name: 'State of the connection' });
  expect(status).toHaveTextContent(/Not connected.*(broker|address).*Nazar keeps trying/i);
  expect(status).toHaveTextContent('2 alerts weren’t sent'.replace('’', "'"));
});

test('C-302 staff and users are not let in', async () => {
  const read = answer(mqttRoutes.read, now);
  const staff = aUser({ role: 'user', is_staff: true, is_superuser: false });
  await renderApp({ path: '/settings/mqtt', user: staff });
  await screen.findByRole('heading', { level: 1, name: 'MQTT' });
  expect(screen.queryByRole('textbox', { name: /^Broker address/ })).toBeNull();
  expect(read).toHaveLength(0);
});
