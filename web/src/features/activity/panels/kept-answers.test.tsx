/** What stands when a panel that had its figures cannot be refreshed, and what does not. */
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { visitCountRoutes } from '@nazar/contract/visit-counts.ts';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import {
  answerPanels,
  aSeenPerson,
  broken,
  lobby,
  openPanel,
  seenPeople,
} from '#testing/panels.ts';
import { answer } from '#testing/server.ts';

beforeEach(answerPanels);

test('=LDH-005, =LDC-008 lists to choose from stay when they cannot be had, with their time', async () => {
  answer(visitCountRoutes.people, (seen) =>
    seen.url.searchParams.get('end_date') === '2026-03-04'
      ? seenPeople([aSeenPerson()])
      : broken(500),
  );
  await openPanel('heatmap');
  await screen.findByRole('option', { name: 'Leyla Orucova' });
  await screen.findByRole('option', { name: 'Lobby' });
  answer(cameraRoutes.namesForLogs, broken(500));
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await userEvent.click(screen.getByRole('radio', { name: '7 days' }));
  expect(
    await screen.findByText(/^Unable to load persons list\. Showing cached data from /),
  ).toBeVisible();
  expect(
    await screen.findByText(
      /^Failed to load filters\. Please try again\. Showing cached data from /,
    ),
  ).toBeVisible();
  expect(screen.getByRole('option', { name: 'Leyla Orucova' })).toBeVisible();
  expect(screen.getByRole('option', { name: 'Lobby' })).toBeVisible();
  // Neither three persons nor three cameras that are samples.
  for (const name of ['Person', 'Camera']) {
    const filter = screen.getByRole('combobox', { name });
    expect(within(filter).getAllByRole('option')).toHaveLength(2);
  }
  expect(screen.queryByText(/sample data/i)).toBeNull();
});

test('ERR-022, ~ERR-021 people that were there stay when they cannot be refreshed, with the time of the figures', async () => {
  await openPanel('people');
  await screen.findByRole('list', { name: 'Person Analytics' });
  answer(visitCountRoutes.people, broken(500));
  await userEvent.click(screen.getByRole('button', { name: 'Refresh the list of people' }));
  expect(await screen.findByText('Failed to load persons list.')).toBeVisible();
  expect(screen.getByText(/^Showing cached data from /)).toBeVisible();
  expect(screen.getByRole('list', { name: 'Person Analytics' })).toBeVisible();
});

test('=ERR-021 after a reload without the server the last counts stand, with their age, and neither people nor visits', async () => {
  const me = aUser();
  await openPanel('faces', '', me);
  expect((await screen.findByText('Success rate')).closest('.card')).toHaveTextContent('75%');
  await screen.findByRole('list', { name: 'Top 10 recognized people' });
  cleanup();
  const kept = localStorage.getItem('panels-cache') ?? '';
  expect(kept).not.toContain('Leyla');
  // An hour later.
  localStorage.setItem(
    'panels-cache',
    kept.replaceAll(/"at":(\d+)/g, (_, at: string) => `"at":${Number(at) - 3_600_000}`),
  );
  for (const route of [visitCountRoutes.stats, visitCountRoutes.grouped] as const)
    answer(route, broken(503));
  answer(visitCountRoutes.people, broken(503));
  await openPanel('faces', '', me);
  expect((await screen.findByText('Success rate')).closest('.card')).toHaveTextContent('75%');
  const [note] = await screen.findAllByText(/^Showing cached data from /, {}, { timeout: 8_000 });
  expect(note).toBeVisible();
  expect(screen.queryByRole('list', { name: 'Top 10 recognized people' })).toBeNull();
  cleanup();
  await openPanel('faces', '', aUser({ id: lobby }));
  expect(
    (
      await screen.findAllByText(
        'Failed to load face recognition data. Please try again.',
        {},
        { timeout: 8_000 },
      )
    )[0],
  ).toBeVisible();
  expect(screen.queryAllByText('75%')).toEqual([]);
}, 30_000);

test('ERR-042 answers that one may not see any more are not shown from what was kept', async () => {
  await openPanel('faces');
  await screen.findAllByText('75%');
  answer(visitCountRoutes.stats, broken(403));
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await screen.findByText(/^You do not have permission to view this data/)).toBeVisible();
  expect(screen.queryAllByText('75%')).toEqual([]);
  expect(localStorage.getItem('panels-cache')).not.toContain('success_rate');
});
