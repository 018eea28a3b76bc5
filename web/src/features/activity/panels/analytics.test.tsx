import { accountRoutes, type User } from '@nazar/contract/accounts.ts';
import { activityRoutes } from '@nazar/contract/activity.ts';
import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { faceLogCountRoutes, type PersonStats } from '@nazar/contract/face-log-counts.ts';
import { faceLogDeletionRoutes } from '@nazar/contract/face-log-deletion.ts';
import { savedSearchRoutes } from '@nazar/contract/saved-searches.ts';
import { sightingRoutes } from '@nazar/contract/sightings.ts';
import { systemLogRoutes } from '@nazar/contract/system-logs.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aUser, aVisit } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const lobby = '44444444-4444-4444-8444-444444444444';
const leyla = '55555555-5555-4555-8555-555555555555';

const person = (over: Partial<PersonStats> = {}): PersonStats => ({
  person_name: 'Leyla Orucova',
  person_id: leyla,
  total_detections: 12,
  recognized_count: 12,
  unrecognized_count: 0,
  first_seen: '2026-03-01T05:06:07.000Z',
  last_seen: '2026-03-04T05:06:07.000Z',
  cameras: 2,
  ...over,
});

const counts = (results: { key: string; recognized: number; unrecognized: number }[]) => {
  const rows = results.map((row) => ({
    ...row,
    name: '',
    total: row.recognized + row.unrecognized,
  }));
  const sum = (key: 'total' | 'recognized' | 'unrecognized') =>
    rows.reduce((all, row) => all + row[key], 0);
  return {
    total: sum('total'),
    recognized: sum('recognized'),
    unrecognized: sum('unrecognized'),
    results: rows,
  };
};

const aCameraRow = (over: object = {}) => ({
  camera_id: lobby,
  camera_name: 'Lobby',
  total_detections: 40,
  recognized_count: 30,
  unrecognized_count: 10,
  ...over,
});

beforeEach(() => {
  answer(analyticsRoutes.logKinds, []);
  answer(systemLogRoutes.countByLevel, [
    { name: 'error', value: 3 },
    { name: 'info', value: 2460 },
  ]);
  answer(activityRoutes.countByAction, { results: [{ name: 'view', value: 1500 }] });
  answer(faceLogCountRoutes.stats, {
    total: 40,
    recognized: 30,
    unrecognized: 10,
    success_rate: 75,
  });
  answer(faceLogCountRoutes.byPerson, { results: [person()] });
  answer(faceLogCountRoutes.byCamera, [aCameraRow()]);
  answer(
    faceLogCountRoutes.grouped,
    counts([
      { key: '2026-03-03', recognized: 20, unrecognized: 4 },
      { key: '2026-03-04', recognized: 10, unrecognized: 6 },
    ]),
  );
  answer(cameraRoutes.namesForLogs, { results: [{ id: lobby, name: 'Lobby' }] });
  answer(userRoutes.list, { count: 0, results: [] });
  answer(savedSearchRoutes.list, { results: [] });
  answer(sightingRoutes.faceLogs, { count: 0, results: [] });
  answer(sightingRoutes.picture, refusal(404, 'sighting_has_no_picture', ''));
});

/** Period of the figures above. */
const dates = 'from=2026-03-03&to=2026-03-04';

function open(panel: string, more = '', user = aUser(), logUser: User | Response = user) {
  const path = `/activity-log?tab=analytics&${dates}${panel === '' ? '' : `&panel=${panel}`}${more}`;
  return renderApp({ path, user, logUser });
}

const noVisits = { total: 0, recognized: 0, unrecognized: 0, success_rate: null };
const address = () => decodeURIComponent(location.search);
const broken = (status: number) => refusal(status, 'internal', 'It broke.');

test('LOG-001, LDO-001, NAV-024, CFL-049 the page has two tabs, the second its panels, and the address says which', async () => {
  await renderApp({ path: '/activity-log', user: aUser() });
  await userEvent.click(await screen.findByRole('tab', { name: 'Analytics Dashboard' }));
  const list = await screen.findByRole('tablist', { name: 'Analytics Dashboard' });
  expect(
    within(list)
      .getAllByRole('tab')
      .map((tab) => tab.textContent),
  ).toEqual([
    'Overview',
    'Face Recognition Logs',
    'Face Recognition Heatmap',
    'Face Recognition Timeline',
    'Daily Face Recognition',
    'Person Analytics',
    'Camera Analytics',
    'System Logs',
  ]);
  expect(address()).toContain('tab=analytics');
  await userEvent.click(within(list).getByRole('tab', { name: 'Camera Analytics' }));
  expect(address()).toContain('panel=cameras');
});

test('LDO-009, LDO-010, LDO-011, LDO-012, LDO-013, LDO-014, LDO-016, LDO-017 the overview counts logs of all kinds, and leads to them', async () => {
  const kinds = answer(analyticsRoutes.logKinds, [
    { name: 'activity', value: 9000 },
    { name: 'system', value: 2463 },
    { name: 'face_recognition', value: 40 },
  ]);
  await open('', '&type=camera');
  expect(await screen.findByText(/Mar 3, 2026 – Mar 4, 2026 · Content type: Camera/)).toBeVisible();
  const figure = async (value: string) => (await screen.findAllByText(value))[0]!.closest('.card');
  expect(await figure('1,500')).toHaveTextContent('Activity logs1,500');
  expect(await figure('2,463')).toHaveTextContent('System logs2,463');
  // 9,000 entries, 2,463 lines, 40 visits: only the entries have a content type.
  expect(await figure('11,503')).toHaveTextContent(
    'Total logs11,503Previous: 11,503 (0%)Filtered by: Period and User',
  );
  expect(await figure('40')).toHaveTextContent(
    'Visits40Previous: 40 (0%)Recognized: 30 · Unrecognized: 10',
  );
  const byKind = screen.getByRole('region', { name: 'By log type' });
  expect(byKind).toHaveTextContent('Filtered by: Period and User');
  for (const name of [
    /^Activity logs · Logs 9,000/,
    /^System logs · Logs 2,463/,
    /^Face.* · Logs 40/,
  ])
    expect(within(byKind).getByRole('button', { name })).toBeVisible();
  const results = screen.getByRole('region', { name: 'Recognition results' });
  expect(await within(results).findByText('75%')).toBeVisible();
  expect(results).toHaveTextContent('Filtered by: Period and User');
  expect(kinds.at(-1)!.url.searchParams.has('content_type')).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: /^View · / }));
  await waitFor(() => expect(address()).toMatch(/action=view/));
  expect(address()).not.toContain('tab=');
  expect(address()).toContain('from=2026-03-03');
});

test('figures stand beside those of the period before, with the change in per cent', async () => {
  const isNow = (seen: { url: URL }) =>
    seen.url.searchParams.get('end_date') === '2026-03-04' ||
    seen.url.searchParams.get('end_date') === new Date(2026, 2, 5).toISOString();
  const stats = answer(faceLogCountRoutes.stats, (seen) =>
    isNow(seen)
      ? { total: 40, recognized: 30, unrecognized: 10, success_rate: 75 }
      : { total: 32, recognized: 0, unrecognized: 20, success_rate: 50 },
  );
  answer(activityRoutes.countByAction, (seen) => ({
    results: [{ name: 'view', value: isNow(seen) ? 1500 : 2000 }],
  }));
  await open('');
  const card = async (label: string) => (await screen.findAllByText(label))[0]!.closest('.card');
  expect(await screen.findByText('Previous: 2,000 (-25%)')).toBeVisible();
  expect(await card('Visits')).toHaveTextContent('Visits40Previous: 32 (+25%)');
  expect(screen.getByText(/· compared with Mar 1, 2026 – Mar 2, 2026$/)).toBeVisible();
  expect(new Set(stats.map(({ url }) => url.searchParams.get('start_date')))).toEqual(
    new Set(['2026-03-01', '2026-03-03']),
  );
  await userEvent.click(screen.getByRole('tab', { name: 'Face Recognition Logs' }));
  expect(await card('Success rate')).toHaveTextContent('75%Previous: 50%');
  const recognized = screen.getAllByText('Recognized').map((one) => one.closest('.card'));
  // From nothing to thirty is no change in per cent.
  expect(recognized[0]!.textContent).toBe('Recognized30Previous: 0');
});

test('CFL-016, LDO-008 who is an administrator is what the logs’ own call of the user says', async () => {
  const me = aUser({ role: 'user', is_staff: false, is_superuser: false });
  await open('', '', me);
  await screen.findByText('By action');
  expect(screen.queryByRole('combobox', { name: 'User' })).toBeNull();
  cleanup();
  const stats = answer(faceLogCountRoutes.stats, noVisits);
  await open('', '&user=99999999-9999-4999-8999-999999999999', me, { ...me, is_staff: true });
  expect(await screen.findByRole('combobox', { name: 'User' })).toBeVisible();
  await waitFor(() =>
    expect(stats.at(-1)!.url.searchParams.get('user')).toBe('99999999-9999-4999-8999-999999999999'),
  );
});

test.each([
  ['', 'Failed to load user profile. Please log in again.'],
  ['system', 'Failed to fetch user profile. Please try again.'],
])(
  'ERR-036, ERR-037 a profile that cannot be read is said (%s), and the panel goes on',
  async (panel, text) => {
    answer(systemLogRoutes.list, { count: 0, more: false, results: [] });
    answer(systemLogRoutes.stats, []);
    await open(panel, '', aUser(), broken(500));
    expect(await screen.findByText(text)).toBeVisible();
    expect(await screen.findByRole('combobox', { name: 'User' })).toBeVisible();
    answer(accountRoutes.meOfLogs, aUser());
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
  },
);

test('LDO-015 the levels of the system log lead to its entries', async () => {
  answer(systemLogRoutes.list, { count: 0, more: false, results: [] });
  answer(systemLogRoutes.stats, []);
  await open('');
  const levels = await screen.findByRole('region', { name: 'System logs by level' });
  await userEvent.click(
    await within(levels).findByRole('button', { name: /^Error · System logs 3/ }),
  );
  await waitFor(() => expect(address()).toContain('panel=system'));
  expect(address()).toContain('level=error');
  expect(await screen.findByText('No system logs found for the selected filters.')).toBeVisible();
});

test('LDO-002, LDO-005, LDO-018 filters go to the server; whoever is no administrator asks as themselves', async () => {
  const me = aUser({ role: 'user', is_staff: false, is_superuser: false });
  const asked = answer(activityRoutes.countByAction, { results: [] });
  const stats = answer(faceLogCountRoutes.stats, {
    total: 0,
    recognized: 0,
    unrecognized: 0,
    success_rate: null,
  });
  await open('', '&type=camera&search=gate&user=99999999-9999-4999-8999-999999999999', me);
  await screen.findByText('No data found for the selected filters.');
  const query = Object.fromEntries(asked.at(-1)!.url.searchParams);
  expect(query).toMatchObject({ content_type: 'camera', search: 'gate', user: me.id });
  expect(stats.at(-1)!.url.searchParams.get('user')).toBe(me.id);
  expect(screen.queryByRole('combobox', { name: 'User' })).toBeNull();
  expect(screen.getByText('No data available for this chart')).toBeVisible();
});

test('LDO-003, LDO-006 an administrator chooses a user, Refresh asks again', async () => {
  const user = aUser({
    id: '99999999-9999-4999-8999-999999999999',
    first_name: 'Nigar',
    last_name: '',
  });
  const listed = {
    ...user,
    is_active: true,
    has_password: true,
    two_factor: false,
    last_login_at: null,
  };
  answer(userRoutes.list, { count: 1, results: [listed] });
  const stats = answer(faceLogCountRoutes.stats, {
    total: 1,
    recognized: 1,
    unrecognized: 0,
    success_rate: 100,
  });
  await open('');
  const choice = await screen.findByRole('combobox', { name: 'User' });
  await screen.findByRole('option', { name: 'Nigar' });
  await userEvent.selectOptions(choice, 'Nigar');
  await waitFor(() => expect(stats.at(-1)!.url.searchParams.get('user')).toBe(user.id));
  const before = stats.length;
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Refresh' })).not.toHaveAttribute('aria-busy'),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(stats.length).toBeGreaterThan(before));
});

test.each([
  [403, 'You do not have permission to view this data.'],
  [400, 'Invalid request. Please check the filters and try again.'],
  [500, 'Failed to load data. Please try again later.'],
])(
  'ERR-038, ERR-039, ERR-040 the overview says what %i means, with Retry',
  async (status, text) => {
    answer(faceLogCountRoutes.stats, broken(status));
    await open('');
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

test('~LDF-002, LDF-003, LDF-004, LDF-005, LDF-006, CON-022, CON-026 totals, rate, lines over time, ratio and the ten seen most', async () => {
  const people = Array.from({ length: 12 }, (_, index) =>
    person({
      person_id: leyla.replace(/^5{8}/, String(50_000_000 + index)),
      person_name: `P${index}`,
    }),
  );
  answer(faceLogCountRoutes.byPerson, { results: people });
  const { container } = await open('faces', `&camera=${lobby}`);
  expect((await screen.findByText('Success rate')).closest('.card')).toHaveTextContent('75%');
  const chart = await screen.findByRole('slider', { name: 'Recognition over time' });
  chart.focus();
  await userEvent.keyboard('{ArrowLeft}');
  expect(chart).toHaveAttribute('aria-valuetext', 'Mar 3 · Recognized 20 · Unrecognized 4');
  expect(container.querySelectorAll('path[fill="var(--recognized)"]').length).toBeGreaterThan(0);
  const top = await screen.findByRole('list', { name: 'Top 10 recognized people' });
  expect(within(top).getAllByRole('button')).toHaveLength(10);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(address()).toContain('from=2026-03-03&to=2026-03-03'));
  expect(address()).toContain('panel=timeline');
  expect(address()).toContain(lobby);
});

test('ERR-041 a refused sign-in of the face panel is said in its own words', async () => {
  answer(accountRoutes.refresh, { access: 'good', refresh: 'spare' });
  answer(faceLogCountRoutes.stats, broken(401));
  await open('faces');
  expect(await screen.findByText('Authentication failed. Please log in again.')).toBeVisible();
});

test.each([
  [403, 'You do not have permission to view this data. Please contact an administrator.'],
  [500, 'Failed to load face recognition data. Please try again.'],
])('LDF-007, ERR-042, ERR-043 the error of %i can be dismissed', async (status, text) => {
  answer(faceLogCountRoutes.stats, broken(status));
  await open('faces');
  expect(await screen.findByText(text)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(text)).toBeNull();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
});

test('LDH-001, LDH-002, LDH-003 the heatmap is drawn in three scales, for one person, and an hour leads to its visits', async () => {
  const asked = answer(faceLogCountRoutes.grouped, (seen) =>
    seen.url.searchParams.get('by') === 'day'
      ? counts([{ key: '2026-03-03', recognized: 5, unrecognized: 0 }])
      : counts([{ key: '2-14', recognized: 5, unrecognized: 1 }]),
  );
  answer(sightingRoutes.faceLogs, { count: 0, results: [] });
  await open('heatmap', `&person=${leyla}`);
  const cell = await screen.findByRole('button', { name: 'Tuesday, 14:00 · 6' });
  expect(asked.at(-1)!.url.searchParams.get('person_id')).toBe(leyla);
  expect(screen.getByText('High (6)')).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Day' }));
  expect(await screen.findByRole('button', { name: 'Tuesday, March 3 · 5' })).toHaveTextContent(
    '5',
  );
  await userEvent.click(screen.getByRole('radio', { name: 'Week' }));
  expect(await screen.findByRole('button', { name: 'Mar 2 – Mar 8 · 5' })).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Hour' }));
  await waitFor(() => expect(cell).not.toBeInTheDocument());
  await userEvent.click(await screen.findByRole('button', { name: 'Tuesday, 14:00 · 6' }));
  await waitFor(() => expect(address()).toContain('hour=14'));
  expect(await screen.findByText(/14:00 – 15:00/)).toBeVisible();
  expect(
    screen.getByText('No face recognition events found for the selected filters.'),
  ).toBeVisible();
});

test.each([
  ['failed', broken(500)],
  ['has another shape', HttpResponse.json({ rows: [] })],
])(
  'LDH-006, LDH-007 when the heatmap %s, sample cells stand with the stated words and lead nowhere',
  async (_, reply) => {
    answer(faceLogCountRoutes.grouped, reply);
    await open('heatmap');
    expect(
      await screen.findByText('Could not load heatmap data. Showing sample data instead.'),
    ).toBeVisible();
    expect(screen.getByText('Sample data')).toBeVisible();
    expect(within(screen.getByRole('grid')).queryByRole('button')).toBeNull();
  },
);

test('ERR-047 a list of persons that is away is said beside its filter', async () => {
  answer(faceLogCountRoutes.byPerson, broken(500));
  await open('daily');
  expect(await screen.findByText('Unable to load persons list.')).toBeVisible();
});

test('LDH-005, LDC-008 lists to choose from stay when they cannot be had, with their time', async () => {
  answer(faceLogCountRoutes.byPerson, (seen) =>
    seen.url.searchParams.get('end_date') === '2026-03-04' ? { results: [person()] } : broken(500),
  );
  await open('heatmap');
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
});

test('LDT-001, LDT-002 visits stand by days, the newest first, narrowed by person, camera and recognition', async () => {
  const visits = [
    aVisit({
      timestamp: '2026-03-04T12:00:00.000Z',
      is_recognized: true,
      person_name: 'Leyla',
      person_id: leyla,
    }),
    aVisit({ timestamp: '2026-03-03T12:00:00.000Z' }),
  ];
  const asked = answer(sightingRoutes.faceLogs, { count: 2, results: visits });
  await open('timeline', `&person=${leyla}&camera=${lobby}`);
  const days = await screen.findAllByRole('heading', { level: 3 });
  expect(days.map((day) => day.textContent)).toEqual([
    'Wednesday, March 4, 2026',
    'Tuesday, March 3, 2026',
  ]);
  await userEvent.selectOptions(
    screen.getByRole('combobox', { name: 'Recognition' }),
    'Unrecognized',
  );
  await waitFor(() => expect(asked.at(-1)!.url.searchParams.get('is_recognized')).toBe('false'));
  expect(Object.fromEntries(asked.at(-1)!.url.searchParams)).toMatchObject({
    person_id: leyla,
    camera_id: lobby,
    start_date: '2026-03-03',
    end_date: '2026-03-04',
    limit: '100',
  });
  expect(screen.getAllByRole('link', { name: /^Recording: / })[0]).toHaveAttribute(
    'href',
    expect.stringContaining(`/recordings/${lobby}?at=`),
  );
});

test('LDT-003, LDT-005, LDT-007, ERR-046 a visit is marked deleted after the stated question', async () => {
  const visit = aVisit();
  answer(sightingRoutes.faceLogs, { count: 1, results: [visit] });
  answer(faceLogDeletionRoutes.remove, broken(500));
  await open('timeline');
  await userEvent.click(await screen.findByRole('button', { name: /^Mark as deleted: / }));
  const question = await screen.findByRole('alertdialog', {
    name: 'Are you sure you want to mark this log as deleted?',
  });
  const confirm = within(question).getByRole('button', { name: 'Mark as deleted' });
  await userEvent.click(confirm);
  expect(
    await within(question).findByText('Failed to mark log as deleted. Please try again.'),
  ).toBeVisible();
  const gone = answer(faceLogDeletionRoutes.remove, undefined as never);
  await userEvent.click(confirm);
  expect(await screen.findByText('Log marked as deleted')).toBeVisible();
  expect(gone[0]!.params).toEqual({ id: visit.id });
});

test('LDT-004, LDT-006 all that is filtered is deleted by batches, after it was said how many', async () => {
  answer(sightingRoutes.faceLogs, { count: 1500, results: [aVisit()] });
  const as_of = '2026-03-04T05:06:07.000Z';
  const asked = answer(faceLogDeletionRoutes.removeMany, ({ body }) => {
    const { count_only, as_of: again } = body as { count_only: boolean; as_of?: string };
    if (count_only) return { deleted: 0, left: 1500, as_of };
    return again === undefined
      ? { deleted: 1000, left: 500, as_of }
      : { deleted: 500, left: 0, as_of };
  });
  await open('timeline', '&known=no');
  await userEvent.click(await screen.findByRole('button', { name: 'Mark All as Deleted' }));
  const question = await screen.findByRole('alertdialog', {
    name: 'Are you sure you want to mark all filtered logs as deleted?',
  });
  expect(await within(question).findByText('1500 visits will be marked as deleted.')).toBeVisible();
  await userEvent.click(within(question).getByRole('button', { name: 'Mark as deleted' }));
  expect(await screen.findByText('1500 visits marked as deleted')).toBeVisible();
  expect(asked.map(({ body }) => body)).toMatchObject([
    { count_only: true, filter: { is_recognized: false, start_date: '2026-03-03' } },
    { count_only: false },
    { count_only: false, as_of },
  ]);
});

test('LDT-008, ERR-051, LDD-004 with nothing listed there is nothing to mark', async () => {
  answer(sightingRoutes.faceLogs, { count: 0, results: [] });
  answer(faceLogCountRoutes.daily, { count: 0, results: [] });
  await open('timeline');
  await userEvent.click(await screen.findByRole('button', { name: 'Mark All as Deleted' }));
  expect(await screen.findByText('No logs to mark as deleted.')).toBeVisible();
  await userEvent.click(screen.getByRole('tab', { name: 'Daily Face Recognition' }));
  await userEvent.click(screen.getByRole('radio', { name: 'Table' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Mark All as Deleted' }));
  expect(await screen.findByText('No logs to mark as deleted.')).toBeVisible();
});

test('ERR-044, ERR-045 the timeline says that it failed, and its filters, too', async () => {
  answer(sightingRoutes.faceLogs, broken(500));
  answer(cameraRoutes.namesForLogs, broken(500));
  await open('timeline');
  expect(await screen.findByText('Could not load timeline data. Please try again.')).toBeVisible();
  expect(await screen.findByText('Failed to load filters. Please try again.')).toBeVisible();
});

test('a user deletes only what cameras saw that they added', async () => {
  const me = aUser({ role: 'user', is_staff: false, is_superuser: false });
  answer(sightingRoutes.faceLogs, { count: 1, results: [aVisit()] });
  await open('timeline', '', me);
  await screen.findByRole('link', { name: /^Recording: / });
  expect(screen.queryByRole('button', { name: /deleted/i })).toBeNull();
});

test('LDD-001, LDD-002 daily figures of a person as bars, lines, donut and table', async () => {
  const asked = answer(
    faceLogCountRoutes.grouped,
    counts([{ key: '2026-03-04', recognized: 5, unrecognized: 0 }]),
  );
  answer(faceLogCountRoutes.daily, {
    count: 1,
    results: [
      {
        id: `2026-03-04.${leyla}`,
        date: '2026-03-04',
        person_name: 'Leyla Orucova',
        person_id: leyla,
        detection_count: 5,
        recognized_count: 5,
        unrecognized_count: 0,
        first_seen: '2026-03-04T05:06:07.000Z',
        last_seen: '2026-03-04T15:06:07.000Z',
      },
    ],
  });
  await open('daily', '&person=Leyla');
  expect(await screen.findByRole('slider', { name: 'Daily Face Recognition' })).toBeVisible();
  expect(asked.at(-1)!.url.searchParams.get('person_name')).toBe('Leyla');
  await userEvent.click(screen.getByRole('radio', { name: 'Donut' }));
  expect(await screen.findByText('100%')).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Table' }));
  expect(await screen.findByRole('row', { name: /Mar 4, 2026 Leyla Orucova 5/ })).toBeVisible();
  const gone = answer(faceLogDeletionRoutes.removeDay, undefined as never);
  await userEvent.click(
    screen.getByRole('button', { name: 'Mark as deleted: Leyla Orucova, Mar 4, 2026' }),
  );
  const question = await screen.findByRole('alertdialog');
  await userEvent.click(within(question).getByRole('button', { name: 'Mark as deleted' }));
  expect(await screen.findByText('Log marked as deleted')).toBeVisible();
  expect(gone[0]!.params).toEqual({ id: `2026-03-04.${leyla}` });
  expect(address()).toContain('form=table');
});

test('LDD-001 the daily table says when there are more days and people than its pages hold', async () => {
  answer(faceLogCountRoutes.grouped, counts([]));
  const row = {
    id: `2026-03-04.${leyla}`,
    date: '2026-03-04',
    person_name: 'Leyla Orucova',
    person_id: leyla,
    detection_count: 5,
    recognized_count: 5,
    unrecognized_count: 0,
    first_seen: '2026-03-04T05:06:07.000Z',
    last_seen: '2026-03-04T15:06:07.000Z',
  };
  answer(faceLogCountRoutes.daily, { count: 10_000, more: true, results: [row] });
  await open('daily', '&form=table');
  expect(await screen.findByText('More than 10,000 entries')).toBeVisible();
  answer(faceLogCountRoutes.daily, { count: 1, results: [row] });
  await open('daily', '&form=table&page=2');
  expect(await screen.findByRole('row', { name: /Leyla Orucova/ })).toBeVisible();
  expect(screen.queryByText('More than 10,000 entries')).toBeNull();
});

test('ERR-048, ERR-050, ERR-053, NSH-048 daily figures say that they failed, or why there are none', async () => {
  answer(faceLogCountRoutes.grouped, broken(500));
  await open('daily');
  expect(await screen.findByText('Could not load data.')).toBeVisible();
  answer(faceLogCountRoutes.grouped, counts([]));
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(
    await screen.findByText('No data available for the selected range or person.'),
  ).toBeVisible();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Person' }), 'Leyla Orucova');
  expect(await screen.findByText('No data for Leyla Orucova in this range.')).toBeVisible();
});

test('LDP-005 the details show the face of the newest visit', async () => {
  const id = '66666666-6666-4666-8666-666666666666';
  const address = `/secure-api/activity-log/face-logs/${id}/image/`;
  const pictures = answer(
    sightingRoutes.picture,
    new HttpResponse('jpeg', { headers: { 'Content-Type': 'image/jpeg' } }),
  );
  answer(sightingRoutes.faceLogs, {
    count: 1,
    results: [aVisit({ id, face_image_url: address, person_id: leyla })],
  });
  await open('people', `&person=${leyla}`);
  expect(await screen.findByAltText('Face of Leyla Orucova')).toBeVisible();
  expect(pictures.some(({ url }) => url.pathname === address)).toBe(true);
});

test('~LDP-001, LDP-002, LDP-004, LDP-006, LDP-007, LDP-008, LDP-009, LDP-010, LDP-012 a person of the list opens their details, and closes them', async () => {
  const recent = answer(sightingRoutes.faceLogs, {
    count: 1,
    results: [aVisit({ is_recognized: true, person_name: 'Leyla Orucova', person_id: leyla })],
  });
  const asked = answer(faceLogCountRoutes.byPerson, {
    results: [person(), person({ person_name: 'Unknown', person_id: null, recognized_count: 0 })],
  });
  await open('people');
  expect(await screen.findByText('Select a person to view details')).toBeVisible();
  const list = await screen.findByRole('list', { name: 'Person Analytics' });
  const [row, ...others] = within(list).getAllByRole('button');
  expect(others).toEqual([]);
  expect(list.parentElement).toHaveClass('max-h-[500px]');
  await userEvent.click(row!);
  const details = screen.getByRole('region', { name: 'Details' });
  expect(await within(details).findByText('100.0%')).toBeVisible();
  expect(details).toHaveTextContent(/Total detections12.*Cameras2/s);
  expect(await within(details).findByText('Lobby')).toBeVisible();
  expect(within(details).getByText('Recognized')).toBeVisible();
  expect(address()).toContain(`person=${leyla}`);
  expect(recent.at(-1)!.url.searchParams.get('limit')).toBe('5');
  await userEvent.click(row!);
  expect(await screen.findByText('Select a person to view details')).toBeVisible();
  const before = asked.length;
  await userEvent.click(screen.getByRole('button', { name: 'Refresh the list of people' }));
  await waitFor(() => expect(asked.length).toBeGreaterThan(before));
});

test('LDP-011, LDP-013, ERR-023, ERR-024 Person Analytics says why it is empty, and what failed', async () => {
  answer(faceLogCountRoutes.byPerson, broken(500));
  await open('people', '&person=Leyla');
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

test('ERR-022, ~ERR-021 people that were there stay when they cannot be refreshed, with the time of the figures', async () => {
  await open('people');
  await screen.findByRole('list', { name: 'Person Analytics' });
  answer(faceLogCountRoutes.byPerson, broken(500));
  await userEvent.click(screen.getByRole('button', { name: 'Refresh the list of people' }));
  expect(await screen.findByText('Failed to load persons list.')).toBeVisible();
  expect(screen.getByText(/^Showing cached data from /)).toBeVisible();
  expect(screen.getByRole('list', { name: 'Person Analytics' })).toBeVisible();
});

test('ERR-021 after a reload without the server the last counts stand, with their age, and neither people nor visits', async () => {
  const me = aUser();
  await open('faces', '', me);
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
  for (const route of [faceLogCountRoutes.stats, faceLogCountRoutes.grouped] as const)
    answer(route, broken(503));
  answer(faceLogCountRoutes.byPerson, broken(503));
  await open('faces', '', me);
  expect((await screen.findByText('Success rate')).closest('.card')).toHaveTextContent('75%');
  const [note] = await screen.findAllByText(/^Showing cached data from /, {}, { timeout: 8_000 });
  expect(note).toBeVisible();
  expect(screen.queryByRole('list', { name: 'Top 10 recognized people' })).toBeNull();
  cleanup();
  await open('faces', '', aUser({ id: lobby }));
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

test('ERR-042 what one may see no longer is not shown from what was kept', async () => {
  await open('faces');
  await screen.findAllByText('75%');
  answer(faceLogCountRoutes.stats, broken(403));
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await screen.findByText(/^You do not have permission to view this data/)).toBeVisible();
  expect(screen.queryAllByText('75%')).toEqual([]);
  expect(localStorage.getItem('panels-cache')).not.toContain('success_rate');
});

test('LDC-001, LDC-003, LDC-004, LDC-005, LDC-006 a camera opens its details; without visits its rate is N/A', async () => {
  const details = {
    ...aCameraRow(),
    first_detection: '2026-03-03T05:06:07.000Z',
    last_detection: '2026-03-04T05:06:07.000Z',
    unique_persons: 4,
    recent_logs: [aVisit()],
  };
  answer(faceLogCountRoutes.cameraDetails, details);
  await open('cameras');
  const row = await screen.findByRole('button', {
    name: 'Lobby · Recognized 30 · Unrecognized 10',
  });
  await userEvent.click(row);
  const region = screen.getByRole('region', { name: 'Details' });
  expect(await within(region).findByText('75%')).toBeVisible();
  expect(region).toHaveTextContent('Unique persons4');
  expect(within(region).getAllByText('Unknown').length).toBeGreaterThan(0);
  answer(faceLogCountRoutes.cameraDetails, {
    ...details,
    total_detections: 0,
    recognized_count: 0,
    recent_logs: [],
  });
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await within(region).findByText('N/A')).toBeVisible();
});

test('LDC-007, ERR-026, ERR-052 without its counts, cameras are counted from visits; without those the error stands', async () => {
  answer(faceLogCountRoutes.byCamera, broken(500));
  answer(sightingRoutes.faceLogs, {
    count: 2,
    results: [aVisit(), aVisit({ is_recognized: true })],
  });
  await open('cameras');
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
