import { systemLogRoutes, type SystemLogSource } from '@nazar/contract/system-logs.ts';
import { savedSearchRoutes } from '@nazar/contract/saved-searches.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const camera: SystemLogSource = { source: 'cameras', level: 'info', debug_until: null };
const media: SystemLogSource = {
  source: 'media',
  level: 'debug',
  debug_until: '2026-03-04T06:05:00.000Z',
};

beforeEach(() => {
  answer(systemLogRoutes.list, { count: 0, more: false, results: [] });
  answer(systemLogRoutes.stats, []);
  answer(userRoutes.list, { count: 0, results: [] });
  answer(savedSearchRoutes.list, { results: [] });
});

async function openLevels(user = aUser()): Promise<HTMLElement> {
  await renderApp({ path: '/activity-log?tab=analytics&panel=system', user });
  await userEvent.click(await screen.findByRole('button', { name: 'Log levels' }));
  return screen.findByRole('dialog', { name: 'Log levels' });
}
const staff = aUser({ role: 'user', is_staff: true, is_superuser: false });

test('~LDS-020 each source has its present level, and until when debug lasts', async () => {
  answer(systemLogRoutes.sources, { results: [camera, media] });
  const dialog = await openLevels();
  expect(await within(dialog).findByLabelText('Level of Cameras')).toHaveValue('info');
  const [first, second] = within(dialog).getAllByRole('listitem');
  expect(first).not.toHaveTextContent('Debug until');
  // Below its name as the printed log calls it.
  expect(first).toHaveTextContent('Camerascameras');
  expect(second).toHaveTextContent(/Debug until \d/);
  expect(within(second!).getByRole('combobox')).toHaveValue('debug');
});

test('a source that a newer server has stands as it came', async () => {
  answer(systemLogRoutes.sources, { results: [{ ...camera, source: 'weather' }] });
  const dialog = await openLevels();
  const [only] = await within(dialog).findAllByRole('listitem');
  expect(within(only!).getAllByText('weather')).toHaveLength(1);
});

test('a level that is chosen holds at once, and is shown as saved', async () => {
  let now = camera;
  const listed = answer(systemLogRoutes.sources, () => ({ results: [now] }));
  const chosen = answer(systemLogRoutes.chooseLevel, ({ body }) => {
    now = { ...now, ...(body as Pick<SystemLogSource, 'level'>) };
    return now;
  });
  const dialog = await openLevels();
  const level = await within(dialog).findByLabelText('Level of Cameras');
  await userEvent.selectOptions(level, 'Warning');
  await waitFor(() =>
    expect(within(dialog).getByRole('status')).toHaveTextContent('Cameras: Warning is saved.'),
  );
  expect(chosen.map(({ body }) => body)).toEqual([{ source: 'cameras', level: 'warning' }]);
  await waitFor(() => expect(listed.length).toBeGreaterThan(1));
  expect(level).toHaveValue('warning');
});

test('levels chosen in quick succession are sent one after the other, and the last one holds', async () => {
  let now = camera;
  const { promise: first, resolve: answerFirst } = Promise.withResolvers<void>();
  answer(systemLogRoutes.sources, () => ({ results: [now] }));
  const chosen = answer(systemLogRoutes.chooseLevel, async ({ body }) => {
    const { level } = body as Pick<SystemLogSource, 'level'>;
    if (level === 'warning') await first;
    now = { ...now, level };
    return now;
  });
  const dialog = await openLevels();
  const level = await within(dialog).findByLabelText('Level of Cameras');
  await userEvent.selectOptions(level, 'Warning');
  await userEvent.selectOptions(level, 'Error');
  expect(level).toHaveValue('error');
  await waitFor(() => expect(chosen).toHaveLength(1));
  answerFirst();
  await waitFor(() => expect(within(dialog).getByRole('status')).toHaveTextContent('Error'));
  expect(chosen.map(({ body }) => (body as SystemLogSource).level)).toEqual(['warning', 'error']);
  expect(level).toHaveValue('error');
});

test('a level that is refused stays as it was, with the reason', async () => {
  answer(systemLogRoutes.sources, { results: [camera] });
  answer(systemLogRoutes.chooseLevel, refusal(404, 'log_source_not_found', 'No such source.'));
  const dialog = await openLevels();
  const level = await within(dialog).findByLabelText('Level of Cameras');
  await userEvent.selectOptions(level, 'Error');
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('No such source.');
  expect(level).toHaveValue('info');
  expect(within(dialog).getByRole('status')).toBeEmptyDOMElement();
});

test('levels that do not come are asked for again, and an empty list is shown as such', async () => {
  answer(systemLogRoutes.sources, refusal(500, 'internal', 'It broke.'));
  const dialog = await openLevels();
  expect(await within(dialog).findByText('It broke.')).toBeVisible();
  answer(systemLogRoutes.sources, { results: [] });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Retry' }));
  expect(await within(dialog).findByText('No source has reported anything yet.')).toBeVisible();
});

test('a user who may not change cameras reads the levels', async () => {
  answer(systemLogRoutes.sources, { results: [camera] });
  const dialog = await openLevels(staff);
  expect(await within(dialog).findByText('Info')).toBeVisible();
  expect(within(dialog).queryByRole('combobox')).toBeNull();
});

test('a user who is no administrator has no button for the levels', async () => {
  const user = aUser({ role: 'user', is_staff: false, is_superuser: false });
  await renderApp({ path: '/activity-log?tab=analytics&panel=system', user });
  expect(await screen.findByRole('button', { name: 'Refresh Data' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Log levels' })).toBeNull();
});
