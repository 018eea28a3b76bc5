/** What is done beside the list: the exports, and what each action says when it fails. */
import { activityRoutes } from '@nazar/contract/activity.ts';
import { savedSearchRoutes } from '@nazar/contract/saved-searches.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atDesk, chooseAction, openList } from '#testing/activity-list.ts';
import { aUser } from '#testing/builders.ts';
import { answerPanels, broken, openPanel } from '#testing/panels.ts';
import { answer, type Seen } from '#testing/server.ts';

const queryOf = (asked: readonly Seen[]) => Object.fromEntries(asked.at(-1)!.url.searchParams);
const plainUser = () => aUser({ role: 'user', is_staff: false, is_superuser: false });

atDesk();

/** Half past midnight of the 4th in Baku: in Greenwich it is another day. */
const now = Date.parse('2026-03-03T20:30:00.000Z');
const savedAs: string[] = [];
beforeEach(() => {
  savedAs.length = 0;
  vi.stubEnv('TZ', 'Asia/Baku');
  vi.spyOn(Date, 'now').mockReturnValue(now);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** After the page is there: the click of a test is no click of the page. */
async function pressExport(): Promise<void> {
  const button = await screen.findByRole('button', { name: 'Export CSV' });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    savedAs.push(this.download);
  });
  await userEvent.click(button);
}

/** It fails, which is said and saves nothing, and then saves; returns what was asked for. */
async function exportAfterFailure(): Promise<readonly Seen[]> {
  answer(activityRoutes.export, broken(500));
  await pressExport();
  expect(await screen.findByText('Failed to export logs. Please try again.')).toBeVisible();
  expect(savedAs).toEqual([]);
  const asked = answer(activityRoutes.export, () => new Response('id,timestamp'));
  await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  expect(await screen.findByText('Logs exported successfully')).toBeVisible();
  expect(screen.queryByText('Failed to export logs. Please try again.')).toBeNull();
  expect(savedAs).toEqual(['activity_logs_2026-03-04.csv']);
  return asked;
}

test('LOG-044, LOG-045, ~LOG-042, ERR-055 the list as filtered is saved as CSV under the date of the reader; a failure is shown', async () => {
  await openList(undefined, '?search=gate&type=camera&notAction=view', plainUser());
  const asked = await exportAfterFailure();
  expect(queryOf(asked)).toEqual({
    search: 'gate',
    content_type: 'camera',
    not_action: 'view',
    user: plainUser().id,
  });
});

const otherUserId = '99999999-9999-4999-8999-999999999999';
test.each([
  ['LDO-007, ERR-055 an administrator', aUser(), otherUserId],
  ['LDO-007 a user', plainUser(), plainUser().id],
])('%s exports the logs under the filters of the dashboard', async (_, me, user) => {
  answerPanels();
  await openPanel('', `&type=camera&search=gate&user=${otherUserId}`, me);
  const asked = await exportAfterFailure();
  expect(queryOf(asked)).toEqual({
    search: 'gate',
    content_type: 'camera',
    start_date: '2026-03-02T20:00:00.000Z',
    end_date: '2026-03-04T20:00:00.000Z',
    user,
  });
});

test('ERR-056 a test log that could not be made is reported', async () => {
  answer(activityRoutes.addMock, broken(500));
  await openList();
  await chooseAction('Create Test Log');
  expect(await screen.findByText('Failed to create test log')).toBeVisible();
});

test('ERR-057 mock logs that could not be made are reported in their form, which stays', async () => {
  answer(activityRoutes.addMock, broken(500));
  await openList();
  await chooseAction('Create Mock Logs');
  const dialog = await screen.findByRole('dialog', { name: 'Create Mock Logs' });
  const create = within(dialog).getByRole('button', { name: 'Create entries' });
  await userEvent.click(create);
  expect(await within(dialog).findByText('Failed to create mock logs')).toBeVisible();
  answer(activityRoutes.addMock, { created: 50 });
  await userEvent.click(create);
  expect(await screen.findByText('50 mock entries created')).toBeVisible();
});

test('ERR-058 a cache that the browser keeps is reported', async () => {
  await openList();
  await waitFor(() => expect(localStorage.getItem('logs-cache')).toContain('Gate'));
  vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(() => {
    throw new DOMException('forbidden', 'SecurityError');
  });
  await chooseAction('Clear Cache');
  expect(await screen.findByText('Failed to clear cache')).toBeVisible();
  expect(screen.queryByText('Cache cleared')).toBeNull();
});

test('ERR-059 a failed deletion of all is reported in its question, and can be tried again', async () => {
  answer(activityRoutes.removeAll, broken(500));
  await openList();
  await chooseAction('Delete all entries');
  const question = await screen.findByRole('alertdialog');
  const confirm = within(question).getByRole('button', { name: 'Delete all' });
  await userEvent.click(confirm);
  expect(
    await within(question).findByText('Failed to delete all logs. Please try again.'),
  ).toBeVisible();
  answer(activityRoutes.removeAll, { deleted: 3 });
  await userEvent.click(confirm);
  expect(await screen.findByText('3 entries deleted')).toBeVisible();
});

test('LOG-010, =LOG-012, CON-025, ~ENT-047 ten recent searches stay in the browser and five are offered; saved ones go to the server', async () => {
  const terms = Array.from({ length: 11 }, (_, number) => `term ${number + 1}`);
  const saved = answer(
    savedSearchRoutes.save,
    (seen) =>
      ({
        id: otherUserId,
        timestamp: new Date(now).toISOString(),
        ...(seen.body as { name: string }),
      }) as never,
  );
  await openList();
  const box = screen.getByRole('searchbox', { name: 'Search the activity log' });
  for (const term of terms) {
    await userEvent.clear(box);
    await userEvent.type(box, `${term}{Enter}`);
    await waitFor(() => expect(decodeURIComponent(location.search)).toContain(`${term.at(-1)}`));
    await waitFor(() => expect(localStorage.getItem('recent-searches')).toContain(`"${term}"`));
  }
  const kept = JSON.parse(localStorage.getItem('recent-searches')!) as { value: string[] };
  expect(kept.value).toEqual(terms.slice(1).toReversed());
  await userEvent.click(screen.getByRole('button', { name: 'Saved searches' }));
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items.filter((text) => text.startsWith('term'))).toEqual(kept.value.slice(0, 5));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Save Current Search' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Gate');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Search saved')).toBeVisible();
  expect(saved[0]!.url.pathname).toMatch(/\/saved-searches\/$/);
  expect(saved[0]!.body).toMatchObject({ name: 'Gate', term: 'term 11' });
  expect(localStorage.getItem('saved-searches')).toBeNull();
  await chooseAction('Create Mock Logs');
  const count = await screen.findByLabelText(/^Number of entries/);
  expect(count).toHaveValue(50);
  expect(count).toHaveAttribute('max', '1000');
});
