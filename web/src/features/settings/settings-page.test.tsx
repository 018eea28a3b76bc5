import { settingsRoutes, settingsSections } from '@nazar/contract/settings.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { keepSettings, someSettings } from '#testing/notifications.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal } from '#testing/server.ts';

const usual = settingsSections.security.defaults;
const save = 'Save Changes';
const admin = aUser({ role: 'admin', is_superuser: false });

async function open(user = aUser()): Promise<void> {
  answer(settingsRoutes.read, { security: usual });
  await renderApp({ path: '/settings', user });
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
}

test('SET-005, SET-025 a change is sent with the password and confirmed, and the password is cleared', async () => {
  await open();
  const person = userEvent.setup();
  const sent = answer(settingsRoutes.update, {});
  const timeout = await screen.findByLabelText(/^Session timeout/);
  expect(timeout).toHaveValue(30);
  await person.clear(timeout);
  await person.type(timeout, '60');
  await person.click(screen.getByRole('switch', { name: /^API access/ }));
  await person.type(screen.getByLabelText(/^Your password/), 'the password');
  await person.click(screen.getByRole('button', { name: save }));
  expect(await screen.findByRole('button', { name: 'Saving...' })).toBeInTheDocument();
  expect(await screen.findByText('The settings were saved.', {}, { timeout: 8000 })).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([
    {
      security: { ...usual, sessionTimeout: 60, apiAccessEnabled: true },
      password: 'the password',
      confirm_lock_out: false,
    },
  ]);
  expect(screen.getByLabelText(/^Your password/)).toHaveValue('');
});

test('SET-026 a time out of range is reported beside its field and nothing is sent', async () => {
  await open();
  const sent = answer(settingsRoutes.update, {});
  const timeout = await screen.findByLabelText(/^Session timeout/);
  await userEvent.clear(timeout);
  await userEvent.type(timeout, '241');
  await userEvent.type(screen.getByLabelText(/^Your password/), 'x');
  await userEvent.click(screen.getByRole('button', { name: save }));
  expect(await screen.findByText('The highest value is 240.')).toBeInTheDocument();
  expect(sent).toHaveLength(0);
});

test('H-23 a list that locks out is refused once, and saved once the user says that they know', async () => {
  await open();
  const sent = answer(settingsRoutes.update, ({ body }) =>
    (body as { confirm_lock_out: boolean }).confirm_lock_out
      ? {}
      : refusal(409, 'address_locked_out', 'This list would lock you out: your address is ::1.'),
  );
  const from = await screen.findByLabelText('Sign in from');
  await userEvent.selectOptions(from, 'Only these addresses');
  const list = screen.getByLabelText(/^Allowed IP addresses/);
  expect(list).toHaveValue('');
  await userEvent.type(list, '192.0.2.1');
  await userEvent.type(screen.getByLabelText(/^Your password/), 'x');
  await userEvent.click(screen.getByRole('button', { name: save }));
  const knows = await screen.findByRole(
    'checkbox',
    { name: 'Save and lock myself out' },
    { timeout: 8000 },
  );
  expect(screen.getByText(/would lock you out/)).toBeInTheDocument();
  await userEvent.click(knows);
  await userEvent.click(screen.getByRole('button', { name: save }));
  expect(await screen.findByText('The settings were saved.', {}, { timeout: 8000 })).toBeVisible();
  expect(sent).toHaveLength(2);
});

test('SEC-012 the server’s refusal of a list stands beside it', async () => {
  await open();
  answer(settingsRoutes.update, () =>
    fieldRefusal({ 'security.allowedIPs': ['“somewhere” is not an IP address.'] }),
  );
  await userEvent.selectOptions(
    await screen.findByLabelText('Sign in from'),
    'Only these addresses',
  );
  await userEvent.type(screen.getByLabelText(/^Your password/), 'x');
  await userEvent.click(screen.getByRole('button', { name: save }));
  await screen.findByText('“somewhere” is not an IP address.', {}, { timeout: 8000 });
  expect(screen.getByLabelText(/^Allowed IP addresses/)).toBeInvalid();
});

test('C-302 an administrator reads the policy and changes nothing; others see neither', async () => {
  await open(admin);
  expect(await screen.findByText(/^Only a superadministrator/)).toBeInTheDocument();
  expect(screen.getByLabelText(/^Session timeout/)).toBeDisabled();
  expect(screen.queryByRole('button', { name: save })).toBeNull();
});

test('C-302 a user sees no settings of others, and is led to their own', async () => {
  keepSettings(someSettings());
  const read = answer(settingsRoutes.read, { security: usual });
  const user = aUser({ role: 'user', is_staff: false, is_superuser: false });
  await renderApp({ path: '/settings', user });
  await screen.findByRole('heading', { level: 1, name: 'Notifications' });
  expect(location.pathname).toBe('/settings/notifications');
  expect(screen.queryByLabelText(/^Session timeout/)).toBeNull();
  expect(read).toHaveLength(0);
});
