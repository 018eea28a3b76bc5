import { faceRoutes } from '@nazar/contract/faces.ts';
import { privacyRoutes } from '@nazar/contract/privacy.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { unknownFaceRoutes } from '@nazar/contract/unknown-faces.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { aConsent, aFace, anId, aUser, aStranger } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const leyla = aFace({ first_name: 'Leyla', last_name: 'Orucova' });

beforeEach(() => {
  answer(faceRoutes.list, { count: 0, results: [] });
  answer(faceRoutes.read, leyla);
  answer(faceRoutes.categories, { results: [] });
  answer(faceRoutes.image, new HttpResponse('jpeg'));
  answer(privacyRoutes.consent, aConsent());
  answer(visitRoutes.picture, new HttpResponse('jpeg'));
  answer(visitRoutes.faceLogs, { count: 0, results: [] });
  answer(unknownFaceRoutes.list, { count: 0, results: [] });
});

const openPerson = () => renderApp({ path: `/face-database?person=${leyla.id}`, user: aUser() });

test('FACE-032 an address with a person opens their details, and closing them leads to the list', async () => {
  await openPerson();
  const details = await screen.findByRole('dialog', { name: 'Leyla Orucova' });
  await userEvent.click(within(details).getByRole('button', { name: 'Edit' }));
  await waitFor(() => expect(screen.getAllByRole('dialog', { hidden: true })).toHaveLength(2));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1));
  expect(location.search).toContain('person=');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(location.search).not.toContain('person='));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('on a phone all but the main button of a person are in a menu, and on a desk in sight', async () => {
  const others = ['Export data', 'Erase permanently', 'Legal basis', 'Add photos'];
  const view = await openPerson();
  const wide = await screen.findByRole('dialog', { name: 'Leyla Orucova' });
  expect(within(wide).queryByRole('button', { name: 'More actions' })).toBeNull();
  for (const name of others) expect(within(wide).getByRole('button', { name })).toBeVisible();
  view.unmount();
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(width < 64rem)',
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  await openPerson();
  const narrow = await screen.findByRole('dialog', { name: 'Leyla Orucova' });
  for (const name of others) expect(within(narrow).queryByRole('button', { name })).toBeNull();
  expect(within(narrow).getByRole('button', { name: 'Edit' })).toBeVisible();
  await userEvent.click(within(narrow).getByRole('button', { name: 'More actions' }));
  const offered = await screen.findAllByRole('menuitem');
  expect(offered.map(({ textContent }) => textContent)).toEqual(others);
});

test('a person who is gone is reported, and can be asked for again', async () => {
  answer(faceRoutes.read, refusal(404, 'face_not_found', 'Face not found'));
  await openPerson();
  expect(await screen.findByText('Face not found')).toBeVisible();
  answer(faceRoutes.read, leyla);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('dialog', { name: 'Leyla Orucova' })).toBeVisible();
});

test('FACE-062 an address with an unknown person opens their dialog', async () => {
  const id = anId();
  const asked = answer(unknownFaceRoutes.read, aStranger({ id, image: null }));
  await renderApp({ path: `/face-database?view=unknown&stranger=${id}`, user: aUser() });
  await screen.findByRole('dialog', { name: 'Unknown 14' });
  expect(asked.map(({ params }) => params['id'])).toEqual([id]);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(location.search).toBe('?view=unknown'));
});
