import { accountRoutes } from '@nazar/contract/accounts.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { faceRoutes } from '@nazar/contract/faces.ts';
import { privacyRoutes } from '@nazar/contract/privacy.ts';
import { mqttRoutes } from '@nazar/contract/mqtt.ts';
import { settingsRoutes } from '@nazar/contract/settings.ts';
import { setupRoutes } from '@nazar/contract/setup.ts';
import { userGroupRoutes } from '@nazar/contract/user-groups.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { webhookDeliveryRoutes, webhookRoutes } from '@nazar/contract/webhooks.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, expect, test } from 'vitest';
import { startSession } from '#api/session.ts';
import { chooseLanguage } from '#lib/i18n.ts';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

afterEach(() => chooseLanguage('en'));

test('NAV-007, ~NAV-023, ~NAV-029, NAV-030, SES-020 a stored token opens the dashboard in the shell', async () => {
  await renderApp({ path: '/', user: aUser() });
  expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
  const navigation = screen.getByRole('navigation', { name: 'Main navigation' });
  const links = within(navigation).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Dashboard', '/'],
    ['Cameras', '/cameras'],
    ['Recordings', '/recordings'],
    ['Wall', '/cameras?view=wall'],
    ['Face Database', '/face-database'],
    ['Activity Log', '/activity-log'],
    ['Alerts', '/alerts'],
    ['Settings', '/settings'],
  ]);
  expect(within(navigation).getByRole('list', { name: 'System' })).toBeInTheDocument();
  expect(links[0]).toHaveAttribute('aria-current', 'page');
});

test.each(['/nowhere/at/all', '/login', '/register'])(
  'NAV-019 signed in, %s leads home',
  async (path) => {
    await renderApp({ path, user: aUser() });
    await screen.findByRole('heading', { name: 'Dashboard' });
    expect(location.pathname).toBe('/');
  },
);

test.each(['/cameras/wall', '/recordings/today'])(
  '~NAV-019 an invalid camera id is an address without a page: %s',
  async (path) => {
    await renderApp({ path, user: aUser() });
    expect(await screen.findByText(`There is no page at ${path}.`)).toBeInTheDocument();
    expect(location.pathname).toBe('/');
  },
);

test('~NAV-019 an address without a page is named, until that is closed; the sign-in is not', async () => {
  const { unmount } = await renderApp({ path: '/cameras/wall/<b>x', user: aUser() });
  expect(
    await screen.findByText('There is no page at /cameras/wall/%3Cb%3Ex.'),
  ).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByText(/^There is no page at/)).toBeNull());
  unmount();
  await renderApp({ path: '/login', user: aUser() });
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(screen.queryByText(/^There is no page at/)).toBeNull();
});

const ofPages = [
  faceRoutes.list,
  faceRoutes.categories,
  settingsRoutes.read,
  mqttRoutes.read,
  userRoutes.list,
  userGroupRoutes.list,
  privacyRoutes.endedAccounts,
  privacyRoutes.erasures,
  webhookRoutes.list,
  webhookDeliveryRoutes.list,
];

test.each([
  '/',
  '/cameras',
  '/face-database',
  '/profile',
  '/security',
  '/settings',
  '/settings/users',
  '/settings/access',
  '/settings/recognition',
  '/settings/privacy',
  '/settings/webhooks',
  '/settings/mqtt',
])('NAV-023 %s stands in the shell, with its header and a sidebar that collapses', async (path) => {
  // What a page shows without its data is not the question here.
  for (const route of ofPages) answer(route, refusal(503, 'unavailable', 'Not now.'));
  await renderApp({ path, user: aUser() });
  await screen.findByRole('heading', { level: 1 });
  expect(location.pathname).toBe(path);
  expect(
    within(screen.getAllByRole('banner')[0]!).getByRole('button', { name: 'Language' }),
  ).toBeInTheDocument();
  expect(screen.getByRole('navigation', { name: 'Main navigation' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Collapse sidebar' })).toBeInTheDocument();
});

test('=SES-021, SES-023 a refused token clears everything and shows the login', async () => {
  localStorage.setItem('user-data', '{}');
  localStorage.setItem('avatar-color', '#000000');
  answer(accountRoutes.refresh, refusal(401, 'invalid_refresh', ''));
  localStorage.setItem('auth-token', 'bad');
  localStorage.setItem('refresh-token', 'bad');
  const asked = answer(accountRoutes.me, refusal(401, 'not_signed_in', ''));
  await renderApp({ path: '/' });
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument();
  expect(asked[0]?.url.pathname).toBe('/secure-api/accounts/users/me/');
  expect(asked[0]?.headers.get('authorization')).toBe('Bearer bad');
  for (const key of ['auth-token', 'refresh-token', 'user-data', 'avatar-color']) {
    expect(localStorage.getItem(key)).toBeNull();
  }
});

test('SES-022 without a token no one asks who is signed in', async () => {
  const asked = answer(accountRoutes.me, aUser());
  await renderApp({ path: '/' });
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(asked).toHaveLength(0);
});

test('~NAV-021 a spinner shows while the start check runs; a server that does not answer is reported', async () => {
  await renderApp({ path: '/', user: aUser() });
  const { promise: line, resolve: cut } = Promise.withResolvers<Response>();
  answer(setupRoutes.state, () => line);
  const check = startSession();
  expect(await screen.findByText('Loading...')).toBeInTheDocument();
  cut(HttpResponse.error());
  await check;
  expect(
    await screen.findByRole('heading', { name: "Nazar can't be reached" }),
  ).toBeInTheDocument();
  expect(screen.getByText(/You're still signed in/)).toBeInTheDocument();
  expect(localStorage.getItem('auth-token')).toBe('good');
});

test('~SES-021 a failing server is reported in its own words and asked again, by itself and on demand', async () => {
  await renderApp({ path: '/', user: aUser() });
  answer(setupRoutes.state, refusal(429, 'too_many_requests', 'Too many requests. Wait a moment.'));
  await startSession();
  await screen.findByRole('heading', { name: "Nazar can't open right now" });
  expect(screen.getByText('Too many requests. Wait a moment.')).toBeInTheDocument();
  const { promise: line, resolve: fail } = Promise.withResolvers<Response>();
  answer(setupRoutes.state, () => line);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  const retry = screen.getByRole('button', { name: /Retry/ });
  await waitFor(() => expect(retry).toHaveAttribute('aria-busy', 'true'));
  // The reason stays while it is asked again.
  expect(screen.getByText('Too many requests. Wait a moment.')).toBeInTheDocument();
  fail(new HttpResponse('<html>', { status: 500 }));
  expect(await screen.findByText('The server answered with an error.')).toBeInTheDocument();
  answer(setupRoutes.state, { required: false } as never);
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeInTheDocument();
});

test('a user who does not want to wait for a failing server can leave; a stranger learns of no session', async () => {
  await renderApp({ path: '/', user: aUser() });
  answer(setupRoutes.state, new HttpResponse('<html>', { status: 502 }));
  answer(accountRoutes.logout, new HttpResponse('<html>', { status: 502 }));
  await startSession();
  await screen.findByRole('heading', { name: "Nazar can't be reached" });
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(localStorage.getItem('auth-token')).toBeNull();
  await startSession();
  await screen.findByRole('heading', { name: "Nazar can't be reached" });
  expect(screen.getByText('This page retries automatically.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Logout' })).not.toBeInTheDocument();
});

test('~NAV-031, CFL-051, SES-024, ~SES-025, SES-026 logout notifies the server, forgets and shows the login', async () => {
  await renderApp({ path: '/', user: aUser() });
  const sent = answer(accountRoutes.logout, undefined as never);
  sessionStorage.setItem('login-tracked', '1');
  localStorage.setItem('refresh-token', 'spare');
  localStorage.setItem('avatar-color', '#0f766e');
  localStorage.setItem('cameras', '{}');
  await userEvent.click(await screen.findByRole('button', { name: 'Logout' }));
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument();
  expect(location.pathname).toBe('/login');
  expect(sent).toHaveLength(1);
  for (const key of ['auth-token', 'refresh-token', 'user-data', 'avatar-color', 'cameras'])
    expect(localStorage.getItem(key), key).toBeNull();
  expect(sessionStorage.getItem('login-tracked')).toBeNull();
});

test.each([
  ['Administrator', aUser({ role: 'user', is_staff: true, is_superuser: false })],
  ['User', aUser({ role: 'operator', is_staff: false, is_superuser: false })],
])('NAV-046, NAV-047 the avatar menu shows name, email and the badge %s', async (badge, user) => {
  await renderApp({ path: '/', user });
  await userEvent.click(await screen.findByRole('button', { name: 'Account menu' }));
  const menu = await screen.findByRole('menu');
  expect(within(menu).getByText('Aysel Quliyeva')).toBeInTheDocument();
  expect(within(menu).getByText('aysel@example.com')).toBeInTheDocument();
  expect(within(menu).getByText(badge)).toBeInTheDocument();
  expect(within(menu).getByRole('menuitem', { name: 'Logout' })).toBeInTheDocument();
});

test('NAV-044, NAV-045 the avatar says the initials, on the color that was chosen', async () => {
  const { container } = await renderApp({
    path: '/',
    user: aUser(),
    preferences: { avatar_color: '#0f766e' },
  });
  await screen.findByRole('heading', { name: 'Dashboard' });
  const letters = container.querySelector('[data-initials]');
  expect(letters).toHaveAttribute('data-initials', 'AQ');
  await waitFor(() => expect(letters?.parentElement).toHaveStyle({ backgroundColor: '#0f766e' }));
});

test('NAV-044, NAV-045 without a name the avatar says EA, on blue', async () => {
  const { container } = await renderApp({
    path: '/',
    user: aUser({ first_name: '', last_name: '' }),
  });
  await screen.findByRole('heading', { name: 'Dashboard' });
  const letters = container.querySelector('[data-initials]');
  expect(letters).toHaveAttribute('data-initials', 'EA');
  expect(letters?.parentElement).toHaveStyle({ backgroundColor: '#2563eb' });
});

test('~NAV-028, ~NSH-006 the sidebar collapses, and the account remembers it', async () => {
  await renderApp({ path: '/', user: aUser() });
  const kept = answer(accountRoutes.updatePreferences, refusal(500, 'internal', ''));
  await userEvent.click(await screen.findByRole('button', { name: 'Collapse sidebar' }));
  expect(await screen.findByRole('button', { name: 'Expand sidebar' })).toBeInTheDocument();
  await waitFor(() => expect(kept.map((one) => one.body)).toEqual([{ sidebar_collapsed: true }]));
});

test('NAV-032, LNG-005 the theme switches and is kept', async () => {
  await renderApp({ path: '/', user: aUser() });
  await screen.findByRole('heading', { name: 'Dashboard' });
  const header = within(screen.getAllByRole('banner')[0]!);
  await userEvent.click(header.getByRole('button', { name: 'Switch to the dark theme' }));
  expect(document.documentElement).toHaveClass('dark');
  expect(localStorage.getItem('theme')).toBe('dark');
  await userEvent.click(header.getByRole('button', { name: 'Switch to the light theme' }));
  expect(document.documentElement).not.toHaveClass('dark');
  expect(localStorage.getItem('theme')).toBe('light');
});

test('NAV-033, LNG-001, LNG-003 a language chosen in the header is kept and shown everywhere', async () => {
  await renderApp({ path: '/', user: aUser() });
  await screen.findByRole('heading', { name: 'Dashboard' });
  const header = within(screen.getAllByRole('banner')[0]!);
  await userEvent.click(header.getByRole('button', { name: 'Language' }));
  const names = (await screen.findAllByRole('menuitemradio')).map((item) => item.textContent);
  expect(names).toEqual(['English', 'Azərbaycanca', 'Русский', 'Türkçe']);
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Русский' }));
  expect(await screen.findByRole('heading', { name: 'Панель управления' })).toBeInTheDocument();
  expect(document.documentElement.lang).toBe('ru');
  expect(localStorage.getItem('language')).toBe('ru');
});

test('~CFL-018 the language of the account holds where this browser has chosen none', async () => {
  await renderApp({ path: '/', user: aUser(), preferences: { language: 'tr' } });
  expect(await screen.findByRole('heading', { name: 'Kontrol paneli' })).toBeInTheDocument();
  expect(localStorage.getItem('language')).toBeNull();
});

test('a page says why it is empty, and a failed one offers another try', async () => {
  answer(cameraRoutes.list, refusal(500, 'internal', 'Something went wrong. Please try again.'));
  await renderApp({ path: '/cameras', user: aUser() });
  expect(await screen.findByText('Something went wrong. Please try again.')).toBeInTheDocument();
  answer(cameraRoutes.list, { count: 0, results: [] });
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No cameras yet')).toBeInTheDocument();
});
