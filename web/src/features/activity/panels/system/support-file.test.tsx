import { systemLogRoutes } from '@nazar/contract/system-logs.ts';
import { savedSearchRoutes } from '@nazar/contract/saved-searches.ts';
import { systemRoutes } from '@nazar/contract/system.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const names: string[] = [];

beforeEach(() => {
  names.length = 0;
  answer(systemLogRoutes.list, { count: 0, more: false, results: [] });
  answer(systemLogRoutes.stats, []);
  answer(userRoutes.list, { count: 0, results: [] });
  answer(savedSearchRoutes.list, { results: [] });
});
afterEach(() => vi.restoreAllMocks());

async function openDialog(): Promise<HTMLElement> {
  await renderApp({ path: '/activity-log?tab=analytics&panel=system', user: aUser() });
  await userEvent.click(await screen.findByRole('button', { name: 'Support file' }));
  const dialog = await screen.findByRole('dialog', { name: 'Support file' });
  // After the page is there: the click of a test is no click of the page.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  return dialog;
}
const start = (dialog: HTMLElement) =>
  userEvent.click(within(dialog).getByRole('button', { name: 'Download' }));

test('the support file says what is in it and what is not before it is made, and is then saved', async () => {
  const asked = answer(systemRoutes.supportBundle, () => new Response('tar'));
  const dialog = await openDialog();
  expect(within(dialog).getAllByRole('listitem')).toHaveLength(3);
  expect(dialog).toHaveTextContent(/Passwords, .* are left out/);
  expect(asked).toHaveLength(0);
  await start(dialog);
  expect(await screen.findByText('The support file was downloaded.')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(names).toEqual(['nazar-support.tar']);
});

test('while the support file comes its size is shown, and closing the dialog cancels it', async () => {
  const { promise: rest, resolve: end } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async pull(stream) {
      stream.enqueue(new Uint8Array(1_500_000));
      await rest;
      stream.close();
    },
  });
  answer(systemRoutes.supportBundle, () => new Response(body));
  const dialog = await openDialog();
  await start(dialog);
  expect(await within(dialog).findByText('1.5 MB downloaded')).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  end();
  await userEvent.click(screen.getByRole('button', { name: 'Support file' }));
  expect(await screen.findByRole('button', { name: 'Download' })).not.toHaveAttribute('aria-busy');
  expect(screen.queryByText('The support file was downloaded.')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(names).toEqual([]);
});

test('a support file that is refused says why, and can be asked for again', async () => {
  answer(systemRoutes.supportBundle, refusal(503, 'busy', 'Not now.'));
  const dialog = await openDialog();
  await start(dialog);
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Not now.');
  answer(systemRoutes.supportBundle, () => new Response('tar'));
  await start(dialog);
  expect(await screen.findByText('The support file was downloaded.')).toBeVisible();
});

test('a user who may not change cameras has no button for the support file', async () => {
  const user = aUser({ role: 'user', is_staff: true, is_superuser: false });
  await renderApp({ path: '/activity-log?tab=analytics&panel=system', user });
  expect(await screen.findByRole('button', { name: 'Log levels' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Support file' })).toBeNull();
});
