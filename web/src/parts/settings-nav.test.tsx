import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { settingsRoutes, settingsSections } from '@nazar/contract/settings.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer } from '#testing/server.ts';

const navigation = (): Promise<HTMLElement> =>
  screen.findByRole('navigation', { name: 'Settings' });
const names = async (): Promise<(string | null)[]> =>
  within(await navigation())
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
const current = async (): Promise<(string | null)[]> =>
  within(await navigation())
    .getAllByRole('link', { current: 'page' })
    .map(({ textContent }) => textContent);

test('~NSH-035 the sections of the settings are reached from each other, and the open one is marked', async () => {
  answer(settingsRoutes.read, { security: settingsSections.security.defaults });
  answer(userRoutes.list, { count: 0, results: [] });
  await renderApp({ path: '/settings', user: aUser() });
  expect(await names()).toEqual([
    'Security',
    'Notifications',
    'Users',
    'Access',
    'Recognition',
    'Privacy',
    'Webhooks',
    'MQTT',
  ]);
  expect(await current()).toEqual(['Security']);
  const person = userEvent.setup();
  await person.click(within(await navigation()).getByRole('link', { name: 'Users' }));
  await screen.findByRole('heading', { level: 1, name: 'Users' });
  expect(await current()).toEqual(['Users']);
});

test('a filter in the address leaves the section marked; who reads no policy is not led to it', async () => {
  answer(userRoutes.list, { count: 0, results: [] });
  const staff = aUser({ role: 'user', is_staff: true, is_superuser: false });
  await renderApp({ path: '/settings/users?role=operator', user: staff });
  expect(await names()).toEqual(['Notifications', 'Users', 'Access', 'Recognition', 'Privacy']);
  expect(await current()).toEqual(['Users']);
});

test('~ROL-002 a user who may open no section but their own sees no other', async () => {
  await renderApp({
    path: '/settings/users',
    user: aUser({ role: 'operator', is_staff: false, is_superuser: false }),
  });
  await screen.findByRole('heading', { level: 1, name: 'Users' });
  expect(screen.queryByRole('navigation', { name: 'Settings' })).toBeNull();
});
