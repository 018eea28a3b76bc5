import { alertRoutes } from '@nazar/contract/alerts.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { alertPage, anAlert, lobby, plainUser } from '#testing/alerts.ts';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer } from '#testing/server.ts';

const open = async (user = aUser()): Promise<HTMLElement> => {
  answer(cameraRoutes.list, { count: 1, results: [lobby] });
  await renderApp({ path: '/', user });
  return screen.findByRole('region', { name: 'Recent alerts' });
};

test('DASH-012 the newest alerts with level and status, each leading to itself', async () => {
  const alert = anAlert({ level: 'critical', status: 'in_progress' });
  answer(alertRoutes.list, alertPage([alert]));
  const card = await open();
  const link = await within(card).findByRole('link', { name: alert.title });
  expect(link).toHaveAttribute('href', `/alerts?alert=${alert.id}`);
  expect(within(card).getByText('Critical')).toBeVisible();
  expect(within(card).getByText('In progress')).toBeVisible();
  expect(within(card).getByRole('link', { name: 'All alerts' })).toHaveAttribute('href', '/alerts');
});

test('DASH-013, CON-014 five are asked for, the newest, and no more are shown', async () => {
  const asked = answer(
    alertRoutes.list,
    alertPage(Array.from({ length: 7 }, (_, index) => anAlert({ title: `Alert ${index}` }))),
  );
  const card = await open();
  await within(card).findByRole('link', { name: 'Alert 0' });
  expect(within(card).getAllByRole('listitem')).toHaveLength(5);
  expect(Object.fromEntries(asked[0]!.url.searchParams)).toEqual({
    ordering: '-created_at',
    page_size: '5',
  });
});

test('ALR-011 here, too, users who are no administrators ask for those of their cameras', async () => {
  const asked = answer(alertRoutes.list, alertPage([]));
  const card = await open(plainUser());
  expect(await within(card).findByText('No alerts')).toBeVisible();
  expect(asked.at(-1)!.url.searchParams.get('camera__in')).toBe(lobby.id);
});
