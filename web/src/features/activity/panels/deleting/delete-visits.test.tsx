/** Visits that are marked deleted: one, all that are filtered, the days of a person. */
import { visitCountRoutes } from '@nazar/contract/visit-counts.ts';
import { visitDeletionRoutes } from '@nazar/contract/visit-deletion.ts';
import { visitRoutes, type Visit } from '@nazar/contract/visits.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { aUser, aVisit } from '#testing/builders.ts';
import { aDay, answerPanels, broken, openPanel } from '#testing/panels.ts';
import { answer } from '#testing/server.ts';

beforeEach(answerPanels);

/** The question before the second of two visits is deleted. */
async function askToDeleteSecond(visits: readonly Visit[]): Promise<HTMLElement> {
  answer(visitRoutes.faceLogs, { count: visits.length, results: [...visits] });
  await openPanel('timeline');
  const actions = await screen.findAllByRole('button', { name: /^Mark as deleted: / });
  expect(actions).toHaveLength(visits.length);
  await userEvent.click(actions[1]!);
  return screen.findByRole('alertdialog', {
    name: 'Are you sure you want to mark this log as deleted?',
  });
}

test('LDT-003, LDT-005, ~LDT-007 each visit is marked deleted after the stated question, and no other', async () => {
  const [other, visit] = [aVisit(), aVisit({ camera_name: 'Yard' })];
  const gone = answer(visitDeletionRoutes.remove, undefined as never);
  const question = await askToDeleteSecond([other, visit]);
  expect(within(question).getByText(/^The visit disappears from all lists/)).toBeVisible();
  expect(gone).toEqual([]);
  answer(visitRoutes.faceLogs, { count: 1, results: [other] });
  await userEvent.click(within(question).getByRole('button', { name: 'Mark as deleted' }));
  expect(await screen.findByText('Log marked as deleted')).toBeVisible();
  expect(gone.map(({ params }) => params)).toEqual([{ id: visit.id }]);
  await waitFor(() =>
    expect(screen.getAllByRole('button', { name: /^Mark as deleted: / })).toHaveLength(1),
  );
});

test('ERR-046 visits that could not be marked deleted are reported, one or all, and the question stays', async () => {
  answer(visitDeletionRoutes.remove, broken(500));
  const question = await askToDeleteSecond([aVisit(), aVisit()]);
  await userEvent.click(within(question).getByRole('button', { name: 'Mark as deleted' }));
  expect(
    await within(question).findByText('Failed to mark log as deleted. Please try again.'),
  ).toBeVisible();
  expect(screen.queryByText('Log marked as deleted')).toBeNull();
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
  answer(visitDeletionRoutes.removeMany, { deleted: 0, left: 2, as_of: aDay.last_seen });
  await userEvent.click(screen.getByRole('button', { name: 'Mark All as Deleted' }));
  const all = await screen.findByRole('alertdialog');
  await within(all).findByText('2 visits will be marked as deleted.');
  answer(visitDeletionRoutes.removeMany, broken(500));
  await userEvent.click(within(all).getByRole('button', { name: 'Mark as deleted' }));
  expect(
    await within(all).findByText('Failed to mark all logs as deleted. Please try again.'),
  ).toBeVisible();
});

test('LDT-004, LDT-006 all that is filtered is deleted by batches, after their number was shown', async () => {
  answer(visitRoutes.faceLogs, { count: 1500, results: [aVisit()] });
  const as_of = '2026-03-04T05:06:07.000Z';
  const asked = answer(visitDeletionRoutes.removeMany, ({ body }) => {
    const { count_only, as_of: again } = body as { count_only: boolean; as_of?: string };
    if (count_only) return { deleted: 0, left: 1500, as_of };
    return again === undefined
      ? { deleted: 1000, left: 500, as_of }
      : { deleted: 500, left: 0, as_of };
  });
  await openPanel('timeline', '&known=no');
  await userEvent.click(await screen.findByRole('button', { name: 'Mark All as Deleted' }));
  const question = await screen.findByRole('alertdialog', {
    name: 'Are you sure you want to mark all filtered logs as deleted?',
  });
  expect(
    await within(question).findByText('1,500 visits will be marked as deleted.'),
  ).toBeVisible();
  await userEvent.click(within(question).getByRole('button', { name: 'Mark as deleted' }));
  expect(await screen.findByText('1,500 visits marked as deleted')).toBeVisible();
  expect(asked.map(({ body }) => body)).toMatchObject([
    { count_only: true, filter: { is_recognized: false, start_date: '2026-03-03' } },
    { count_only: false },
    { count_only: false, as_of },
  ]);
});

test('LDT-008, ERR-051, LDD-004 with nothing listed there is nothing to mark', async () => {
  answer(visitRoutes.faceLogs, { count: 0, results: [] });
  answer(visitCountRoutes.daily, { count: 0, results: [] });
  await openPanel('timeline');
  await userEvent.click(await screen.findByRole('button', { name: 'Mark All as Deleted' }));
  expect(await screen.findByText('No logs to mark as deleted.')).toBeVisible();
  await userEvent.click(screen.getByRole('tab', { name: 'Daily Face Recognition' }));
  await userEvent.click(screen.getByRole('radio', { name: 'Table' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Mark All as Deleted' }));
  expect(await screen.findByText('No logs to mark as deleted.')).toBeVisible();
});

test('a user deletes only what cameras saw that they added', async () => {
  const me = aUser({ role: 'user', is_staff: false, is_superuser: false });
  answer(visitRoutes.faceLogs, { count: 1, results: [aVisit()] });
  await openPanel('timeline', '', me);
  await screen.findByRole('link', { name: /^Recording: / });
  expect(screen.queryByRole('button', { name: /deleted/i })).toBeNull();
});

const removalOf = { day: visitDeletionRoutes.removeDay, all: visitDeletionRoutes.removeMany };
test.each([
  ['ERR-049 of a day', 'day', /^Mark as deleted: Leyla/, 'Failed to mark log as deleted.'],
  ['ERR-049 of all', 'all', 'Mark All as Deleted', 'Failed to mark all logs as deleted.'],
] as const)(
  '%s: a failed deletion is shown and can be tried again',
  async (_, what, name, text) => {
    answer(visitCountRoutes.daily, { count: 1, results: [aDay] });
    answer(removalOf.all, { deleted: 0, left: 1, as_of: aDay.last_seen });
    await openPanel('daily', '&form=table');
    await userEvent.click(await screen.findByRole('button', { name }));
    const question = await screen.findByRole('alertdialog');
    if (what === 'all') await within(question).findByText('1 visit will be marked as deleted.');
    answer(removalOf[what], broken(500));
    const confirm = within(question).getByRole('button', { name: 'Mark as deleted' });
    await userEvent.click(confirm);
    expect(await within(question).findByText(`${text} Please try again.`)).toBeVisible();
    if (what === 'day') answer(removalOf.day, undefined as never);
    else answer(removalOf.all, { deleted: 1, left: 0, as_of: aDay.last_seen });
    await userEvent.click(confirm);
    expect(await screen.findByText(/marked as deleted$/)).toBeVisible();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  },
);

test('LDT-002, LDT-006 visits of erased people are a kind of their own in list, filter and deletion', async () => {
  const erased = aVisit({ person_name: 'Erased person', person_id: null, is_recognized: true });
  const listed = answer(visitRoutes.faceLogs, { count: 1, results: [erased] });
  const as_of = '2026-03-04T05:06:07.000Z';
  const asked = answer(visitDeletionRoutes.removeMany, { deleted: 0, left: 1, as_of });
  await openPanel('timeline');
  const filter = await screen.findByRole('combobox', { name: 'Recognition' });
  await userEvent.selectOptions(filter, 'Erased people');
  const row = await screen.findByRole('button', { name: /Erased person.*Recognized/ });
  expect(row).toBeVisible();
  await vi.waitFor(() => expect(listed.at(-1)!.url.searchParams.get('kind')).toBe('erased'));
  await userEvent.click(screen.getByRole('button', { name: 'Mark All as Deleted' }));
  await screen.findByText('1 visit will be marked as deleted.');
  expect(asked[0]!.body).toMatchObject({ count_only: true, filter: { kind: 'erased' } });
});
