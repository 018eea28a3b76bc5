/** What each panel says when it cannot be loaded, and when there is nothing to show. */
import { accountRoutes } from '@nazar/contract/accounts.ts';
import { activityRoutes } from '@nazar/contract/activity.ts';
import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { visitCountRoutes } from '@nazar/contract/visit-counts.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { systemLogRoutes } from '@nazar/contract/system-logs.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aUser, aVisit } from '#testing/builders.ts';
import {
  answerPanels,
  broken,
  counts,
  leyla,
  noVisits,
  openPanel,
  seenPeople,
} from '#testing/panels.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal } from '#testing/server.ts';

beforeEach(answerPanels);

test.each([
  ['ERR-037 of the dashboard', '', 'Failed to load user profile. Please log in again.'],
  ['ERR-036 of the system log', 'system', 'Failed to fetch user profile. Please try again.'],
])(
  '%s: a profile that cannot be read is reported, and the panel goes on',
  async (_, panel, text) => {
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
  ['ERR-038 refused', 403, 'You do not have permission to view this data.'],
  ['ERR-039 wrong', 400, 'Invalid request. Please check the filters and try again.'],
  ['ERR-040 broken', 500, 'Failed to load data. Please try again later.'],
])('%s: the overview says what %i means, with Retry', async (_, status, text) => {
  answer(visitCountRoutes.stats, broken(status));
  await openPanel('');
  expect(await screen.findByText(text)).toBeVisible();
  const stats = { total: 8, recognized: 8, unrecognized: 0, success_rate: 100 };
  answer(visitCountRoutes.stats, stats);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('100%')).toBeVisible();
});

test('ERR-041 a refused sign-in of the face panel is shown in its own words', async () => {
  answer(accountRoutes.refresh, { access: 'good', refresh: 'spare' });
  answer(visitCountRoutes.stats, broken(401));
  await openPanel('faces');
  expect(await screen.findByText('Authentication failed. Please log in again.')).toBeVisible();
});

const refused = 'You do not have permission to view this data. Please contact an administrator.';
test.each([
  ['ERR-042, LDF-007 refused', 403, refused],
  ['ERR-043, LDF-007 broken', 500, 'Failed to load face recognition data. Please try again.'],
])('%s: the error of %i of the face panel can be dismissed', async (_, status, text) => {
  answer(visitCountRoutes.stats, broken(status));
  await openPanel('faces');
  expect(await screen.findByText(text)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(text)).toBeNull();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
});

test.each([
  ['LDH-006 failed', broken(500)],
  ['LDH-007 has no totals and no list', HttpResponse.json({ rows: [] })],
  ['LDH-007 is a list', HttpResponse.json([{ key: '2-14', total: 6 }])],
  ['LDH-007 is a word', HttpResponse.json('busy')],
])(
  '%s: sample cells stand with the stated words and the mark, and lead nowhere',
  async (_, reply) => {
    answer(visitCountRoutes.grouped, reply);
    await openPanel('heatmap');
    expect(
      await screen.findByText('Could not load heatmap data. Showing sample data instead.'),
    ).toBeVisible();
    expect(screen.getByText('Sample data')).toBeVisible();
    const cells = within(screen.getByRole('grid'));
    expect(cells.queryByRole('button')).toBeNull();
    expect(cells.getAllByTitle(/ · [1-9]/).length).toBeGreaterThan(0);
    answer(visitCountRoutes.grouped, counts([{ key: '2-14', recognized: 5, unrecognized: 1 }]));
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('button', { name: 'Tuesday, 14:00 · 6' })).toBeVisible();
    expect(screen.queryByText('Sample data')).toBeNull();
  },
);

test('ERR-047 a list of persons that is away is reported beside its filter', async () => {
  const { unmount } = await openPanel('daily');
  await screen.findByRole('slider', { name: 'Daily Face Recognition' });
  expect(screen.queryByText('Unable to load persons list.')).toBeNull();
  unmount();
  answer(visitCountRoutes.people, broken(500));
  await openPanel('daily');
  expect(await screen.findByText('Unable to load persons list.')).toBeVisible();
});

test('ERR-044, ERR-045 the timeline says that it failed, and its filters, too', async () => {
  answer(visitRoutes.faceLogs, broken(500));
  answer(cameraRoutes.namesForLogs, broken(500));
  await openPanel('timeline');
  expect(await screen.findByText('Could not load timeline data. Please try again.')).toBeVisible();
  expect(await screen.findByText('Failed to load filters. Please try again.')).toBeVisible();
});

test('ERR-048, ERR-050, ERR-053 daily figures say that they failed, or why there are none', async () => {
  answer(visitCountRoutes.grouped, broken(500));
  await openPanel('daily');
  expect(await screen.findByText('Could not load data.')).toBeVisible();
  expect(screen.queryByText(/^No data/)).toBeNull();
  answer(visitCountRoutes.grouped, counts([]));
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(
    await screen.findByText('No data available for the selected range or person.'),
  ).toBeVisible();
  expect(screen.queryByText('Could not load data.')).toBeNull();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Person' }), 'Leyla Orucova');
  expect(await screen.findByText('No data for Leyla Orucova in this range.')).toBeVisible();
  expect(screen.queryByText('No data available for the selected range or person.')).toBeNull();
});

const selection = 'No data available for the selected range or person.';
const filters = 'No data found for the selected filters.';
test.each([
  ['heatmap', '', selection],
  ['daily', '', selection],
  ['daily', `&person=${leyla}`, 'No data for Leyla Orucova in this range.'],
  ['timeline', '', 'No face recognition events found for the selected filters.'],
  ['', '', filters],
  ['cameras', '', filters],
  ['system', '', filters],
])('NSH-048 the panel "%s" (%s) without data says: %s', async (panel, more, text) => {
  answer(systemLogRoutes.list, { count: 0, more: false, results: [] });
  answer(systemLogRoutes.stats, []);
  answer(activityRoutes.countByAction, { results: [] });
  answer(visitCountRoutes.grouped, counts([]));
  answer(visitCountRoutes.byCamera, []);
  await openPanel(panel, more);
  expect(await screen.findByText(text)).toBeVisible();
});

test('LDP-011, ERR-023 Person Analytics says that its list failed, without the list, or that no one was seen', async () => {
  await openPanel('people');
  expect(await screen.findByRole('list', { name: 'Person Analytics' })).toBeVisible();
  cleanup();
  answer(visitCountRoutes.people, broken(500));
  await openPanel('people');
  expect(await screen.findByText('Failed to load person analytics data.')).toBeVisible();
  expect(screen.queryByRole('list', { name: 'Person Analytics' })).toBeNull();
  answer(visitCountRoutes.people, seenPeople([]));
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(
    await screen.findByText('No person data found for the selected date range.'),
  ).toBeVisible();
  expect(screen.queryByText('Failed to load person analytics data.')).toBeNull();
});

test('LDP-013, ERR-024 details of a person that failed name them; those that are not there are shown as none', async () => {
  answer(visitCountRoutes.byPerson, broken(500));
  await openPanel('people', '&person=Leyla');
  const failed = 'Failed to load details for Leyla. Please check the person name or try again.';
  expect(await screen.findByText(failed)).toBeVisible();
  answer(visitCountRoutes.byPerson, { results: [] });
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await screen.findByText('No details found for the selected person')).toBeVisible();
  expect(screen.queryByText(failed)).toBeNull();
});

test.each([
  ['ERR-025 no list', { people: [] }],
  ['ERR-025 a list of words', { results: ['Leyla'] }],
])('%s: details of a person of a wrong shape are an error', async (_, reply) => {
  answer(visitCountRoutes.byPerson, () => HttpResponse.json(reply));
  await openPanel('people', `&person=${leyla}`);
  expect(
    await screen.findByText(
      'Failed to load details for Leyla Orucova. Please check the person name or try again.',
    ),
  ).toBeVisible();
  expect(screen.queryByText('No details found for the selected person')).toBeNull();
});

test('=LDC-007, ERR-052 without their counts cameras are counted from visits, and nothing is invented', async () => {
  answer(visitCountRoutes.byCamera, broken(500));
  const asked = answer(visitRoutes.faceLogs, {
    count: 2,
    results: [aVisit(), aVisit({ is_recognized: true })],
  });
  await openPanel('cameras');
  expect(
    await screen.findByText(/^Failed to load camera analytics data\. Please try again\. Counted/),
  ).toBeVisible();
  expect(
    await screen.findByRole('button', { name: 'Lobby · Recognized 1 · Unrecognized 1' }),
  ).toBeVisible();
  expect(asked.at(-1)!.url.searchParams.get('limit')).toBe('1000');
  answer(visitCountRoutes.byCamera, []);
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await screen.findByText('No data found for the selected filters.')).toBeVisible();
  expect(screen.queryByText(/^Failed to load camera analytics data/)).toBeNull();
});

test('ERR-026, =LDC-007 cameras whose counts and visits both fail are an error, without sample data', async () => {
  answer(visitCountRoutes.byCamera, broken(500));
  answer(visitRoutes.faceLogs, broken(500));
  await openPanel('cameras');
  expect(
    await screen.findByText('Failed to load camera analytics data. Please try again.'),
  ).toBeVisible();
  expect(screen.queryByRole('list', { name: 'Camera Analytics' })).toBeNull();
  expect(screen.queryByText(/sample data/i)).toBeNull();
});

test('ERR-054 each chart without data says so in its own place, and the others stand', async () => {
  const note = 'No data available for this chart';
  const noted = async (name: string): Promise<void> => {
    const card = await screen.findByRole('region', { name });
    expect(await within(card).findByText(note)).toBeVisible();
  };
  answer(systemLogRoutes.countByLevel, [
    { name: 'error', value: 0 },
    { name: 'info', value: 0 },
  ]);
  answer(analyticsRoutes.logKinds, [
    { name: 'activity', value: 0 },
    { name: 'system', value: 0 },
    { name: 'face_recognition', value: 0 },
  ]);
  answer(visitCountRoutes.stats, noVisits);
  answer(visitCountRoutes.grouped, counts([{ key: '2026-03-03', recognized: 0, unrecognized: 0 }]));
  answer(visitCountRoutes.people, seenPeople([]));
  await openPanel('');
  for (const name of ['By log type', 'System logs by level', 'Recognition results'])
    await noted(name);
  const actions = screen.getByRole('region', { name: 'By action' });
  expect(
    within(actions).getByRole('button', { name: /^View · Activity logs 1,500/ }),
  ).toBeVisible();
  await userEvent.click(screen.getByRole('tab', { name: 'Face Recognition Logs' }));
  for (const name of [
    'Recognition over time',
    'Recognized and unrecognized',
    'Top 10 recognized people',
  ])
    await noted(name);
});

test('LDF-007 an end before the start is reported on the face panel, too', async () => {
  const reason = 'The end is before the start. Choose a later end.';
  answer(visitCountRoutes.stats, fieldRefusal({ end_date: [reason] }));
  await renderApp({
    path: '/activity-log?tab=analytics&panel=faces&from=2026-03-04&to=2026-03-01',
    user: aUser(),
  });
  expect(await screen.findByText(reason)).toBeVisible();
  expect(
    screen.getByText('Invalid request. Please check the filters and try again.'),
  ).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('a filter that another panel cannot count is reported with its reason, and not to be tried again', async () => {
  const reason = 'The end is before the start. Choose a later end.';
  answer(visitRoutes.faceLogs, fieldRefusal({ end_date: [reason] }));
  await openPanel('timeline');
  expect(await screen.findByText(reason)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});
