import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { faceRoutes } from '@nazar/contract/faces.ts';
import { notificationSettingsRoutes } from '@nazar/contract/notifications.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { aFace, aUser, anId } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { keepSettings, someSettings } from '#testing/notifications.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal } from '#testing/server.ts';

const quiet = /^Use quiet hours/;
const user = aUser({ role: 'user', is_staff: false, is_superuser: false });
const gate = aCamera({ id: anId(), name: 'Gate' });
const yard = aCamera({ id: anId(), name: 'Yard' });
const leyla = aFace({ id: anId(), first_name: 'Leyla', last_name: 'Aliyeva', image: null });
const rena = aFace({ id: anId(), first_name: 'Rena', last_name: 'Quliyeva', image: null });

beforeEach(() => {
  answer(cameraRoutes.list, { count: 2, results: [gate, yard] });
  answer(faceRoutes.list, { count: 2, results: [leyla, rena] });
  answer(faceRoutes.read, ({ params }) => (params['id'] === rena.id ? rena : leyla));
});

async function open(path = '/settings/notifications') {
  await renderApp({ path, user });
  await screen.findByRole('switch', { name: quiet });
}

const toggle = (name: string | RegExp): HTMLElement => screen.getByRole('switch', { name });
const save = async (): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));

test('CFL-014, SET-017, SET-018 a user sees and changes their own settings; only what changed is sent', async () => {
  const sent = keepSettings(someSettings());
  await open();
  expect(toggle(/^Email/)).toBeChecked();
  expect(toggle(/^Unknown people/)).toBeChecked();
  expect(toggle(/^Known people/)).not.toBeChecked();
  const address = screen.getByRole('textbox', { name: 'Email address' });
  expect(address).toHaveAttribute('type', 'email');
  await save();
  expect(sent).toHaveLength(0);
  await userEvent.click(toggle(/^Known people/));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Info' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Error' }));
  await save();
  expect(await screen.findByText('Your notification settings were saved.')).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([
    { notifyOnKnown: true, alert_levels: ['info', 'warning', 'critical'] },
  ]);
});

test('~NSH-007 what this system can not send is off and says why', async () => {
  keepSettings(someSettings({ push: true, available: { email: false, push: false, sms: false } }));
  await open();
  for (const [name, why] of [
    [/^Email/, "Not available: this system can't send emails."],
    [
      /^Push notifications/,
      'Not available yet: turn on push notifications on a device first, below.',
    ],
    [/^Text messages/, "Not available: Nazar can't send text messages yet."],
    [/^Daily report/, 'Not available: Nazar has no reports yet.'],
  ] as const) {
    expect(toggle(name)).toBeDisabled();
    expect(toggle(name)).not.toBeChecked();
    expect(toggle(name).closest('label')).toHaveTextContent(why);
  }
});

test('~NSH-007 cameras and muted people are chosen from those one sees', async () => {
  const sent = keepSettings(someSettings({ muted_people: [rena.id] }));
  await open();
  await userEvent.click(screen.getByRole('radio', { name: 'Selected cameras' }));
  await save();
  expect(await screen.findByText('Choose at least one camera.')).toBeVisible();
  expect(sent).toHaveLength(0);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Yard' }));
  const muted = screen.getByRole('list', { name: 'Muted people' });
  expect(await within(muted).findByText('Rena Quliyeva')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Choose person' }));
  const dialog = await screen.findByRole('dialog', { name: 'Choose person' });
  await userEvent.click(await within(dialog).findByRole('button', { name: /Leyla Aliyeva/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Unmute: Rena Quliyeva' }));
  await save();
  await waitFor(() =>
    expect(sent.map(({ body }) => body)).toEqual([
      { cameras: [yard.id], muted_people: [leyla.id] },
    ]),
  );
});

test('~NSH-007 quiet hours have two times and the days on which they begin', async () => {
  const sent = keepSettings(someSettings());
  await open();
  expect(screen.queryByLabelText(/^From/)).toBeNull();
  await userEvent.click(toggle(quiet));
  expect(screen.getByLabelText(/^From/)).toHaveValue('22:00');
  expect(screen.getByText('Ends the next day.')).toBeVisible();
  for (const day of [
    'Monday',
    'Tuesday',
    'Wednesday',
    'Thursday',
    'Friday',
    'Saturday',
    'Sunday',
  ]) {
    await userEvent.click(screen.getByRole('checkbox', { name: day }));
  }
  await save();
  expect(await screen.findByText('Choose at least one day.')).toBeVisible();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Sunday' }));
  await userEvent.clear(screen.getByLabelText(/^Until/));
  await save();
  expect(await screen.findByText('Enter a time such as 08:30.')).toBeVisible();
  expect(sent).toHaveLength(0);
  await userEvent.type(screen.getByLabelText(/^Until/), '6:30');
  await save();
  await waitFor(() =>
    expect(sent.map(({ body }) => body)).toEqual([
      { quiet_from: '22:00', quiet_to: '06:30', quiet_days: [7] },
    ]),
  );
  await userEvent.click(toggle(quiet));
  await save();
  await waitFor(() => expect(sent[1]?.body).toEqual({ quiet_from: null, quiet_to: null }));
});

test('what the server refuses stands at its field, the rest above the form', async () => {
  keepSettings(someSettings({ email_confirmed: false, emailAddress: 'other@example.com' }));
  await open();
  expect(
    screen.getByText(
      /^Not confirmed yet\. Until it is, emails go to the address of your account: /,
    ),
  ).toBeVisible();
  const address = screen.getByRole('textbox', { name: 'Email address' });
  await userEvent.clear(address);
  await userEvent.type(address, 'third@example.com');
  answer(notificationSettingsRoutes.change, () =>
    fieldRefusal({ emailAddress: ['Confirm this address first.'] }),
  );
  await save();
  expect(await screen.findByText('Confirm this address first.')).toBeVisible();
  expect(address).toBeInvalid();
  answer(notificationSettingsRoutes.change, refusal(500, 'internal', 'It broke.'));
  await save();
  expect(await screen.findByText('It broke.')).toBeVisible();
  expect(address).toHaveValue('third@example.com');
});

test('~NSH-007, SET-017 another address is confirmed by its code, and nothing typed elsewhere is lost', async () => {
  const pending = someSettings({ email_confirmed: false, emailAddress: 'other@example.com' });
  const sent = keepSettings(pending);
  await open();
  expect(screen.getByText(/^Enter the code that was sent to /)).toHaveTextContent(
    'other@example.com',
  );
  expect(screen.getByText(/^Not confirmed yet\./)).toHaveTextContent(user.email);
  await userEvent.click(toggle(/^Known people/));
  const code = screen.getByRole('textbox', { name: /^Code/ });
  expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  expect(code).toHaveAttribute('inputmode', 'numeric');
  answer(notificationSettingsRoutes.confirmAddress, () =>
    fieldRefusal({ code: ['This code is wrong. Tries left: 4.'] }),
  );
  await userEvent.type(code, '00000000{Enter}');
  expect(await screen.findByText('This code is wrong. Tries left: 4.')).toBeVisible();
  expect(code).toBeInvalid();
  const tried = answer(notificationSettingsRoutes.confirmAddress, {
    ...pending,
    email_confirmed: true,
  });
  await userEvent.clear(code);
  await userEvent.type(code, '1234 5678');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText(/^Confirmed: /)).toBeVisible();
  expect(tried.map(({ body }) => body)).toEqual([{ code: '1234 5678' }]);
  expect(screen.queryByRole('textbox', { name: /^Code/ })).toBeNull();
  expect(screen.getByRole('textbox', { name: 'Email address' })).toHaveFocus();
  expect(sent).toHaveLength(0);
  expect(toggle(/^Known people/)).toBeChecked();
  await save();
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ notifyOnKnown: true }]));
});

test('another code is sent, or why not is said where it was asked for', async () => {
  keepSettings(someSettings({ email_confirmed: false, emailAddress: 'other@example.com' }));
  await open();
  const again = screen.getByRole('button', { name: 'Send again' });
  const asked = answer(notificationSettingsRoutes.sendCode, undefined as never);
  await userEvent.click(again);
  expect(await screen.findByText('Another code was sent to other@example.com.')).toBeVisible();
  expect(asked).toHaveLength(1);
  answer(
    notificationSettingsRoutes.sendCode,
    refusal(429, 'notification_codes_too_many', 'Three codes an hour can be sent.'),
  );
  await userEvent.click(again);
  expect(await screen.findByText('Three codes an hour can be sent.')).toBeVisible();
  expect(screen.queryByText('Another code was sent to other@example.com.')).toBeNull();
});

test('no code is asked for where the address is confirmed, or is that of the account', async () => {
  keepSettings(someSettings({ emailAddress: 'other@example.com' }));
  await open();
  expect(screen.getByText(/^Confirmed: /)).toBeVisible();
  expect(screen.queryByRole('textbox', { name: /^Code/ })).toBeNull();
});

test('an emptied address is that of the account again; what is no address is not sent', async () => {
  const sent = keepSettings(someSettings({ emailAddress: 'other@example.com' }));
  await open();
  const address = screen.getByRole('textbox', { name: 'Email address' });
  await userEvent.clear(address);
  await userEvent.type(address, 'nowhere');
  await save();
  await waitFor(() => expect(address).toBeInvalid());
  expect(sent).toHaveLength(0);
  await userEvent.clear(address);
  await save();
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ emailAddress: null }]));
});

test('what was typed stays while the list is looked through, and is asked about before it is lost', async () => {
  keepSettings(someSettings());
  await open('/notifications?tab=settings');
  await userEvent.click(toggle(/^Known people/));
  await userEvent.click(screen.getByRole('tab', { name: 'Notifications' }));
  expect(await screen.findByText('No notifications')).toBeVisible();
  expect(location.search).toBe('');
  await userEvent.click(screen.getByRole('tab', { name: 'Settings' }));
  expect(toggle(/^Known people/)).toBeChecked();
  await userEvent.click(screen.getByRole('link', { name: 'Alerts' }));
  expect(await screen.findByRole('alertdialog', { name: 'Discard your changes?' })).toBeVisible();
  expect(location.pathname).toBe('/notifications');
});

test('settings that could not be loaded say so', async () => {
  answer(notificationSettingsRoutes.read, refusal(500, 'internal', 'It broke.'));
  await renderApp({ path: '/settings/notifications', user });
  expect(await screen.findByText("Your notification settings couldn't be loaded")).toBeVisible();
});

test('~CFL-014 a user who may read no other section is led from the settings to this one', async () => {
  keepSettings(someSettings());
  await renderApp({ path: '/settings', user });
  await screen.findByRole('heading', { level: 1, name: 'Notifications' });
  expect(location.pathname).toBe('/settings/notifications');
  const sections = await screen.findByRole('navigation', { name: 'Settings' });
  expect(within(sections).getAllByRole('link')).toHaveLength(1);
});
