/** Several cameras selected on the page, over its pages, and changed at once. */
import { accessRoutes, cameraGroupRoutes } from '@nazar/contract/access.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal, type Seen } from '#testing/server.ts';

const idOf = (n: number): string => `22222222-2222-4222-8222-${String(n).padStart(12, '0')}`;
const cameras = Array.from({ length: 30 }, (_, n) =>
  aCamera({ id: idOf(n), name: `Camera ${n}`, status: 'inactive' }),
);

let listed: Seen[];
beforeEach(() => {
  fakeMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.owners, { results: [] });
  answer(cameraGroupRoutes.list, { results: [] });
  answer(accessRoutes.grants, { results: [] });
  listed = answer(cameraRoutes.list, ({ url }) => {
    // As if a page were of six.
    const isPage = url.searchParams.get('page_size') === '24';
    return { count: cameras.length, results: isPage ? cameras.slice(0, 6) : cameras };
  });
});

async function openPage(path = '/cameras', role: 'admin' | 'user' = 'admin') {
  await renderApp({ path, user: aUser({ role }) });
  await screen.findByRole('article', { name: 'Camera 0' });
  return userEvent.setup();
}
type Person = Awaited<ReturnType<typeof openPage>>;
const tick = (name: string) => screen.getByRole('checkbox', { name: `Select ${name}` });

async function chooseTask(person: Person, name: string): Promise<HTMLElement> {
  await person.click(screen.getByRole('button', { name: 'Actions' }));
  await person.click(await screen.findByRole('menuitem', { name }));
  return screen.findByRole('dialog');
}

test('a user who may not change cameras selects none', async () => {
  await openPage('/cameras', 'user');
  expect(screen.queryByRole('checkbox', { name: /^Select/ })).not.toBeInTheDocument();
});

test('Shift selects all between two, and the selection is cleared', async () => {
  const person = await openPage();
  await person.click(tick('Camera 2'));
  expect(await screen.findByText('1 camera selected')).toBeInTheDocument();
  await person.keyboard('{Shift>}');
  await person.click(tick('Camera 5'));
  await person.keyboard('{/Shift}');
  expect(await screen.findByText('4 cameras selected')).toBeInTheDocument();
  expect(tick('Camera 4')).toBeChecked();
  await person.click(screen.getByRole('button', { name: 'Clear selection' }));
  expect(tick('Camera 4')).not.toBeChecked();
  expect(screen.queryByText(/selected$/)).not.toBeInTheDocument();
});

test('"Select all" takes the cameras of the filter on every page, and of the filter only', async () => {
  const person = await openPage(`/cameras?search=Camera&owner=${idOf(77)}`);
  await person.click(tick('Camera 0'));
  await person.click(await screen.findByRole('button', { name: 'Select all 30 cameras' }));
  expect(await screen.findByText('30 cameras selected')).toBeInTheDocument();
  const asked = listed.at(-1)!.url.searchParams;
  expect(asked.get('search')).toBe('Camera');
  expect(asked.get('created_by')).toBe(idOf(77));
  expect(asked.get('page_size')).toBe('1000');
});

test('failures are listed with their reason, stay selected and are tried again alone', async () => {
  let isBroken = true;
  const sent = answer(cameraRoutes.updateStatus, ({ params }) =>
    isBroken && params['id'] === idOf(1)
      ? refusal(409, 'camera_url_missing', 'The camera has no address.')
      : (cameras.find(({ id }) => id === params['id']) as Camera),
  );
  const person = await openPage();
  for (const n of [0, 1, 2]) await person.click(tick(`Camera ${n}`));
  const dialog = await chooseTask(person, 'Activate');
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Camera 0', 'Camera 1', 'Camera 2']);
  expect(sent).toEqual([]);
  await person.click(within(dialog).getByRole('button', { name: 'Activate' }));
  expect(await within(dialog).findByText('2 done, 1 failed')).toBeInTheDocument();
  expect(within(dialog).getByText('The camera has no address.')).toBeInTheDocument();
  isBroken = false;
  await person.click(within(dialog).getByRole('button', { name: 'Retry the failed' }));
  expect(await within(dialog).findByText('1 done')).toBeInTheDocument();
  expect(sent.map(({ params }) => params['id'])).toEqual([0, 1, 2, 1].map(idOf));
  await person.keyboard('{Escape}');
  await waitFor(() => expect(tick('Camera 1')).not.toBeChecked());
});

test('a group is read anew and saved once, with what was in it', async () => {
  const group = { id: idOf(90), name: 'House', description: '', cameras: [idOf(9)] };
  answer(cameraGroupRoutes.list, { results: [group] });
  answer(cameraGroupRoutes.read, { ...group, cameras: [idOf(9), idOf(8)] });
  const saved = answer(cameraGroupRoutes.replace, group);
  const person = await openPage();
  for (const n of [0, 1]) await person.click(tick(`Camera ${n}`));
  const dialog = await chooseTask(person, 'Add to group');
  const button = within(dialog).getByRole('button', { name: 'Add to group' });
  expect(button).toBeDisabled();
  await person.selectOptions(await within(dialog).findByLabelText(/Group/), 'House');
  await person.click(button);
  expect(await within(dialog).findByText('2 done')).toBeInTheDocument();
  expect(saved.map(({ body }) => body)).toEqual([
    { name: 'House', description: '', cameras: [9, 8, 0, 1].map(idOf) },
  ]);
});
