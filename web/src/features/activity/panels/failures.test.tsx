/** What each panel says when it cannot be loaded, and when there is nothing to show. */
import { accountRoutes } from '@nazar/contract/accounts.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { faceLogCountRoutes } from '@nazar/contract/face-log-counts.ts';
import { sightingRoutes } from '@nazar/contract/sightings.ts';
import { systemLogRoutes } from '@nazar/contract/system-logs.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aUser, aVisit } from '#testing/builders.ts';
import { answerPanels, broken, counts, openPanel } from '#testing/panels.ts';
import { answer } from '#testing/server.ts';

beforeEach(answerPanels);

test.each([
  ['', 'Failed to load user profile. Please log in again.'],
  ['system', 'Failed to fetch user profile. Please try again.'],
])(
  'ERR-036, ERR-037 a profile that cannot be read is said (%s), and the panel goes on',
  async (panel, text) => {
    answer(systemLogRoutes.list, { count: 0, more: false, results: [] });
    answer(systemLogRoutes.stats, []);
    await openPanel(panel, '', aUser(), broken(500));
    expect(await screen.findByText(text)).toBeVisible();
    expect(await screen.findByRole('combobox', { name: 'User' })).toBeVisible();
    answer(accountRoutes.meOfLogs, aUser());
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
  },
);

test.each([
  [403, 'You do not have permission to view this data.'],
  [400, 'Invalid request. Please check the filters and try again.'],
  [500, 'Failed to load data. Please try again later.'],
])(
  'ERR-038, ERR-039, ERR-040 the overview says what %i means, with Retry',
  async (status, text) => {
    answer(faceLogCountRoutes.stats, broken(status));
    await openPanel('');
    expect(await screen.findByText(text)).toBeVisible();
    answer(faceLogCountRoutes.stats, {
      total: 8,
      recognized: 8,
      unrecognized: 0,
      success_rate: 100,
    });
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('100%')).toBeVisible();
  },
);

test('ERR-041 a refused sign-in of the face panel is said in its own words', async () => {
  answer(accountRoutes.refresh, { access: 'good', refresh: 'spare' });
  answer(faceLogCountRoutes.stats, broken(401));
  await openPanel('faces');
  expect(await screen.findByText('Authentication failed. Please log in again.')).toBeVisible();
});

test.each([
  [403, 'You do not have permission to view this data. Please contact an administrator.'],
  [500, 'Failed to load face recognition data. Please try again.'],
])('LDF-007, ERR-042, ERR-043 the error of %i can be dismissed', async (status, text) => {
  answer(faceLogCountRoutes.stats, broken(status));
  await openPanel('faces');
  expect(await screen.findByText(text)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(text)).toBeNull();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
});

test.each([
  ['failed', broken(500)],
  ['has another shape', HttpResponse.json({ rows: [] })],
])(
  'LDH-006, LDH-007 when the heatmap %s, sample cells stand with the stated words and lead nowhere',
  async (_, reply) => {
    answer(faceLogCountRoutes.grouped, reply);
    await openPanel('heatmap');
    expect(
      await screen.findByText('Could not load heatmap data. Showing sample data instead.'),
    ).toBeVisible();
    expect(screen.getByText('Sample data')).toBeVisible();
    expect(within(screen.getByRole('grid')).queryByRole('button')).toBeNull();
  },
);

test('ERR-047 a list of persons that is away is said beside its filter', async () => {
  answer(faceLogCountRoutes.byPerson, broken(500));
  await openPanel('daily');
  expect(await screen.findByText('Unable to load persons list.')).toBeVisible();
});

test('ERR-044, ERR-045 the timeline says that it failed, and its filters, too', async () => {
  answer(sightingRoutes.faceLogs, broken(500));
  answer(cameraRoutes.namesForLogs, broken(500));
  await openPanel('timeline');
  expect(await screen.findByText('Could not load timeline data. Please try again.')).toBeVisible();
  expect(await screen.findByText('Failed to load filters. Please try again.')).toBeVisible();
});

test('ERR-048, ERR-050, ERR-053, NSH-048 daily figures say that they failed, or why there are none', async () => {
  answer(faceLogCountRoutes.grouped, broken(500));
  await openPanel('daily');
  expect(await screen.findByText('Could not load data.')).toBeVisible();
  answer(faceLogCountRoutes.grouped, counts([]));
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(
    await screen.findByText('No data available for the selected range or person.'),
  ).toBeVisible();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Person' }), 'Leyla Orucova');
  expect(await screen.findByText('No data for Leyla Orucova in this range.')).toBeVisible();
});

test('LDP-011, LDP-013, ERR-023, ERR-024 Person Analytics says why it is empty, and what failed', async () => {
  answer(faceLogCountRoutes.byPerson, broken(500));
  await openPanel('people', '&person=Leyla');
  expect(await screen.findByText('Failed to load person analytics data.')).toBeVisible();
  expect(
    await screen.findByText(
      'Failed to load details for Leyla. Please check the person name or try again.',
    ),
  ).toBeVisible();
  answer(faceLogCountRoutes.byPerson, { results: [] });
  answer(sightingRoutes.faceLogs, { count: 0, results: [] });
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(
    await screen.findByText('No person data found for the selected date range.'),
  ).toBeVisible();
  expect(await screen.findByText('No details found for the selected person')).toBeVisible();
});

test('LDC-007, ERR-026, ERR-052 without its counts, cameras are counted from visits; without those the error stands', async () => {
  answer(faceLogCountRoutes.byCamera, broken(500));
  answer(sightingRoutes.faceLogs, {
    count: 2,
    results: [aVisit(), aVisit({ is_recognized: true })],
  });
  await openPanel('cameras');
  expect(
    await screen.findByText(/^Failed to load camera analytics data\. Please try again\. Counted/),
  ).toBeVisible();
  expect(
    screen.getByRole('button', { name: 'Lobby · Recognized 1 · Unrecognized 1' }),
  ).toBeVisible();
  answer(faceLogCountRoutes.byCamera, []);
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await screen.findByText('No data found for the selected filters.')).toBeVisible();
});
