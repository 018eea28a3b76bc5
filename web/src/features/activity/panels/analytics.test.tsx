import { activityRoutes } from '@nazar/contract/activity.ts';
import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { visitCountRoutes } from '@nazar/contract/visit-counts.ts';
import { visitDeletionRoutes } from '@nazar/contract/visit-deletion.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { systemLogRoutes } from '@nazar/contract/system-logs.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { anId, aUser, aVisit } from '#testing/builders.ts';
import {
  aDay,
  aCameraRow,
  answerPanels,
  aPerson,
  aSeenPerson,
  counts,
  leyla,
  lobby,
  noVisits,
  openPanel,
  searchOfPage,
  seenPeople,
} from '#testing/panels.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal } from '#testing/server.ts';

beforeEach(answerPanels);
afterEach(() => vi.useRealTimers());

test('LOG-001, LDO-001 the page has two tabs, and the second its panels', async () => {
  await renderApp({ path: '/activity-log', user: aUser() });
  const names = (list: HTMLElement): (string | null)[] =>
    within(list)
      .getAllByRole('tab')
      .map((tab) => tab.textContent);
  const tabs = await screen.findByRole('tablist');
  expect(names(tabs)).toEqual(['Log List', 'Analytics Dashboard']);
  await userEvent.click(within(tabs).getByRole('tab', { name: 'Analytics Dashboard' }));
  expect(names(await screen.findByRole('tablist', { name: 'Analytics Dashboard' }))).toEqual([
    'Overview',
    'Face Recognition Logs',
    'Face Recognition Heatmap',
    'Face Recognition Timeline',
    'Daily Face Recognition',
    'Person Analytics',
    'Camera Analytics',
    'System Logs',
  ]);
});

test('NAV-024 the address says which tab and panel are open, and opens them again', async () => {
  const isOpen = (name: string) => screen.findByRole('tab', { name, selected: true });
  await renderApp({ path: '/activity-log', user: aUser() });
  await userEvent.click(await screen.findByRole('tab', { name: 'Analytics Dashboard' }));
  expect(await isOpen('Overview')).toBeVisible();
  expect(searchOfPage()).toContain('tab=analytics');
  expect(searchOfPage()).not.toContain('panel=');
  await userEvent.click(screen.getByRole('tab', { name: 'Camera Analytics' }));
  await waitFor(() => expect(searchOfPage()).toContain('panel=cameras'));
  expect(location.pathname).toBe('/activity-log');
  const path = `${location.pathname}${location.search}`;
  cleanup();
  await renderApp({ path, user: aUser() });
  expect(await isOpen('Analytics Dashboard')).toBeVisible();
  expect(await isOpen('Camera Analytics')).toBeVisible();
});

/** Counts of all kinds that add up to more than the entries of one content type do. */
const kindsOfLogs = [
  { name: 'activity' as const, value: 9000 },
  { name: 'system' as const, value: 2463 },
  { name: 'face_recognition' as const, value: 40 },
];

/** The card at the head of the overview; a chart may have the same words. */
async function figureOf(label: string): Promise<HTMLElement | null> {
  const [words] = await screen.findAllByText(label);
  return words!.closest('.card');
}

test('LDO-009, LDO-010, LDO-011 the overview counts all logs, entries and lines of the system log', async () => {
  const kinds = answer(analyticsRoutes.logKinds, kindsOfLogs);
  await openPanel('', '&type=camera');
  await waitFor(async () =>
    expect(await figureOf('Activity logs')).toHaveTextContent('Activity logs1,500'),
  );
  await waitFor(async () =>
    expect(await figureOf('System logs')).toHaveTextContent('System logs2,463'),
  );
  // 9,000 entries, 2,463 lines, 40 visits: only the entries have a content type.
  await waitFor(async () =>
    expect(await figureOf('Total logs')).toHaveTextContent(
      'Total logs11,503Previous: 11,503 (0%)Depends on: Period and User',
    ),
  );
  expect(kinds.at(-1)!.url.searchParams.has('content_type')).toBe(false);
});

test('LDO-012, LDO-016, ENT-034 visits are counted by whether a person was recognized, as figure and ring', async () => {
  await openPanel('');
  await waitFor(async () =>
    expect(await figureOf('Visits')).toHaveTextContent(
      'Visits40Previous: 40 (0%)Recognized: 30 · Unrecognized: 10',
    ),
  );
  const results = screen.getByRole('region', { name: 'Recognition results' });
  expect(await within(results).findByRole('button', { name: 'Recognized3075%' })).toBeVisible();
  expect(within(results).getByRole('button', { name: 'Unrecognized1025%' })).toBeVisible();
  expect(results).toHaveTextContent('Depends on: Period and User');
  const levels = screen.getByRole('region', { name: 'System logs by level' });
  for (const name of [/^Error · System logs 3/, /^Info · System logs 2,460/])
    expect(await within(levels).findByRole('button', { name })).toBeVisible();
  const actions = screen.getByRole('region', { name: 'By action' });
  expect(
    await within(actions).findByRole('button', { name: /^View · Activity logs 1,500/ }),
  ).toBeVisible();
});

test('LDO-013, LDO-014 bars by log type and by action, which lead to what they count', async () => {
  answer(analyticsRoutes.logKinds, kindsOfLogs);
  answer(activityRoutes.countByAction, {
    results: [
      { name: 'view', value: 1500 },
      { name: 'login', value: 12 },
    ],
  });
  await openPanel('', '&type=camera');
  const byKind = await screen.findByRole('region', { name: 'By log type' });
  expect(byKind).toHaveTextContent('Depends on: Period and User');
  for (const name of [
    /^Activity logs · Logs 9,000/,
    /^System logs · Logs 2,463/,
    /^Face.* · Logs 40/,
  ])
    expect(await within(byKind).findByRole('button', { name })).toBeVisible();
  const byAction = screen.getByRole('region', { name: 'By action' });
  expect(
    await within(byAction).findByRole('button', { name: /^Login · Activity logs 12/ }),
  ).toBeVisible();
  await userEvent.click(
    within(byAction).getByRole('button', { name: /^View · Activity logs 1,500/ }),
  );
  await waitFor(() => expect(searchOfPage()).toMatch(/action=view/));
  expect(searchOfPage()).not.toContain('tab=');
  expect(searchOfPage()).toContain('from=2026-03-03');
});

test('LDO-017 the overview says its period, and its content type where one is chosen', async () => {
  await openPanel('');
  expect(await screen.findByText(/Mar 3, 2026 – Mar 4, 2026/)).toBeVisible();
  expect(screen.queryByText(/Content type: /)).toBeNull();
  cleanup();
  await openPanel('', '&type=camera');
  expect(await screen.findByText(/Mar 3, 2026 – Mar 4, 2026 · Content type: Camera/)).toBeVisible();
});

test('LDO-004 the last 7, 30 or 90 days are counted, 7 unless others are chosen', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 2, 4, 12) });
  const stats = answer(visitCountRoutes.stats, noVisits);
  await renderApp({ path: '/activity-log?tab=analytics', user: aUser() });
  const period = await screen.findByRole('group', { name: 'Period' });
  const offered = within(period).getAllByRole('radio');
  expect(offered.map(({ parentElement: choice }) => choice?.textContent)).toEqual([
    '7 days',
    '30 days',
    '90 days',
    'Dates',
  ]);
  const begins = () => stats.map(({ url }) => url.searchParams.get('start_date'));
  expect(offered[0]).toBeChecked();
  await waitFor(() => expect(begins()).toContain('2026-02-26'));
  for (const [at, from] of [
    [1, '2026-02-03'],
    [2, '2025-12-05'],
  ] as const) {
    expect(begins()).not.toContain(from);
    await userEvent.click(offered[at]!);
    await waitFor(() => expect(begins()).toContain(from));
  }
});

test('figures stand beside those of the period before, with the change in per cent', async () => {
  const isNow = (seen: { url: URL }) =>
    seen.url.searchParams.get('end_date') === '2026-03-04' ||
    seen.url.searchParams.get('end_date') === new Date(2026, 2, 5).toISOString();
  const stats = answer(visitCountRoutes.stats, (seen) =>
    isNow(seen)
      ? { total: 40, recognized: 30, unrecognized: 10, success_rate: 75 }
      : { total: 32, recognized: 0, unrecognized: 20, success_rate: 50 },
  );
  answer(activityRoutes.countByAction, (seen) => ({
    results: [{ name: 'view', value: isNow(seen) ? 1500 : 2000 }],
  }));
  await openPanel('');
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

test('nothing is shown of a period in which there was no system', async () => {
  const isNow = ({ url }: { url: URL }) =>
    ['2026-03-04', new Date(2026, 2, 5).toISOString()].includes(
      url.searchParams.get('end_date') ?? '',
    );
  const kinds = (value: number) =>
    ['activity', 'system', 'face_recognition'].map((name) => ({ name, value }));
  answer(analyticsRoutes.logKinds, (seen) => kinds(isNow(seen) ? 5 : 0) as never);
  answer(activityRoutes.countByAction, (seen) => ({
    results: [{ name: 'view', value: isNow(seen) ? 5 : 0 }],
  }));
  answer(visitCountRoutes.stats, (seen) =>
    isNow(seen) ? { total: 4, recognized: 3, unrecognized: 1, success_rate: 75 } : noVisits,
  );
  await openPanel('');
  expect(await screen.findByText('Total logs')).toBeVisible();
  await waitFor(() =>
    expect(screen.getByText('Total logs').closest('.card')).toHaveTextContent('15'),
  );
  expect(screen.queryByText(/^Previous/)).toBeNull();
});

test('CFL-016, LDO-008 the logs’ own call of the user says who is an administrator', async () => {
  const me = aUser({ role: 'user', is_staff: false, is_superuser: false });
  await openPanel('', '', me);
  await screen.findByText('By action');
  expect(screen.queryByRole('combobox', { name: 'User' })).toBeNull();
  cleanup();
  const stats = answer(visitCountRoutes.stats, noVisits);
  await openPanel('', '&user=99999999-9999-4999-8999-999999999999', me, { ...me, is_staff: true });
  expect(await screen.findByRole('combobox', { name: 'User' })).toBeVisible();
  await waitFor(() =>
    expect(stats.at(-1)!.url.searchParams.get('user')).toBe('99999999-9999-4999-8999-999999999999'),
  );
});

test.each([
  ['ROL-003 staff by the logs’ own call', { is_staff: false }, { is_staff: true }, true],
  ['ROL-003 staff by the start alone', { is_staff: true }, { is_staff: false }, false],
])('%s: the dashboard follows the one, the list the other', async (_, start, logs, has) => {
  const plain = { role: 'user', is_superuser: false, is_staff: false } as const;
  await openPanel('', '', aUser({ ...plain, ...start }), aUser({ ...plain, ...logs }));
  await screen.findByText('By action');
  await waitFor(() =>
    expect(screen.queryAllByRole('combobox', { name: 'User' })).toHaveLength(has ? 1 : 0),
  );
  await userEvent.click(screen.getByRole('tab', { name: 'Log List' }));
  const subtitle = has
    ? 'View and manage your activity log'
    : 'View and manage all user activity logs';
  expect(await screen.findByText(subtitle)).toBeVisible();
});

test('LDO-015 the levels of the system log lead to its entries', async () => {
  answer(systemLogRoutes.list, { count: 0, more: false, results: [] });
  answer(systemLogRoutes.stats, []);
  await openPanel('');
  const levels = await screen.findByRole('region', { name: 'System logs by level' });
  const error = await within(levels).findByRole('button', { name: /^Error · System logs 3/ });
  expect(within(levels).getByRole('button', { name: /^Info · System logs 2,460/ })).toBeVisible();
  expect(within(levels).getAllByRole('button', { name: / · System logs / })).toHaveLength(2);
  await userEvent.click(error);
  await waitFor(() => expect(searchOfPage()).toContain('panel=system'));
  expect(searchOfPage()).toContain('level=error');
  expect(await screen.findByText('No data found for the selected filters.')).toBeVisible();
});

test('LDO-002, LDO-005, LDO-018 filters go to the server; a user who is no administrator asks as themselves', async () => {
  const me = aUser({ role: 'user', is_staff: false, is_superuser: false });
  const asked = answer(activityRoutes.countByAction, { results: [] });
  const stats = answer(visitCountRoutes.stats, {
    total: 0,
    recognized: 0,
    unrecognized: 0,
    success_rate: null,
  });
  await openPanel('', '&type=camera&search=gate&user=99999999-9999-4999-8999-999999999999', me);
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
  const stats = answer(visitCountRoutes.stats, {
    total: 1,
    recognized: 1,
    unrecognized: 0,
    success_rate: 100,
  });
  await openPanel('');
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

test('~LDF-002, LDF-003 the totals of the period and the rate, of the camera that is chosen', async () => {
  const asked = answer(visitCountRoutes.stats, {
    total: 1040,
    recognized: 780,
    unrecognized: 260,
    success_rate: 75,
  });
  await openPanel('faces', `&camera=${lobby}`);
  const cards = (await screen.findByText('Success rate')).closest('.card')!.parentElement!;
  const figures = [...cards.querySelectorAll('.card')].map(({ textContent }) => textContent);
  expect(figures.map((text) => text.replace(/Previous: .*/, ''))).toEqual([
    'Visits1,040',
    'Recognized780',
    'Unrecognized260',
    'Success rate75%',
  ]);
  expect(asked.every(({ url }) => url.searchParams.get('camera_id') === lobby)).toBe(true);
});

test('LDF-004 areas of both kinds over the days; a day leads to its visits', async () => {
  const { container } = await openPanel('faces', `&camera=${lobby}`);
  const chart = await screen.findByRole('slider', { name: 'Recognition over time' });
  chart.focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(chart).toHaveAttribute('aria-valuetext', 'Mar 4 · Recognized 10 · Unrecognized 6');
  await userEvent.keyboard('{ArrowLeft}');
  expect(chart).toHaveAttribute('aria-valuetext', 'Mar 3 · Recognized 20 · Unrecognized 4');
  const card = screen.getByRole('region', { name: 'Recognition over time' });
  for (const kind of ['recognized', 'unrecognized'])
    expect(card.querySelectorAll(`path[fill="var(--${kind})"]`)).not.toHaveLength(0);
  expect(container).toContainElement(card);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(searchOfPage()).toContain('from=2026-03-03&to=2026-03-03'));
  expect(searchOfPage()).toContain('panel=timeline');
  expect(searchOfPage()).toContain(lobby);
});

test('LDF-005 a ring of recognized and unrecognized, whose parts lead to their visits', async () => {
  await openPanel('faces');
  const ratio = await screen.findByRole('list', { name: 'Recognized and unrecognized' });
  expect(
    within(ratio)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Recognized3075%', 'Unrecognized1025%']);
  const slices = ratio.parentElement!.querySelectorAll('path');
  expect([...slices].map((slice) => slice.getAttribute('fill'))).toEqual([
    'var(--recognized)',
    'var(--unrecognized)',
  ]);
  await userEvent.click(within(ratio).getByRole('button', { name: /^Unrecognized/ }));
  await waitFor(() => expect(searchOfPage()).toContain('panel=timeline'));
  expect(searchOfPage()).toContain('known=no');
});

test('LDF-006 the ten who were recognized most, those seen most first', async () => {
  const people = Array.from({ length: 12 }, (_, index) =>
    aSeenPerson({
      key: leyla.replace(/^5{8}/, String(50_000_000 + index)),
      name: `P${index}`,
      visits: 50 - index,
    }),
  );
  const asked = answer(visitCountRoutes.people, ({ url }) =>
    HttpResponse.json(seenPeople(people.slice(0, Number(url.searchParams.get('limit'))))),
  );
  await openPanel('faces', `&camera=${lobby}`);
  const top = await screen.findByRole('list', { name: 'Top 10 recognized people' });
  const rows = within(top).getAllByRole('button');
  expect(rows).toHaveLength(10);
  expect(rows[0]).toHaveAccessibleName(/^P0 · .*50/);
  expect(rows[9]).toHaveAccessibleName(/^P9 · .*41/);
  expect(asked.at(-1)!.url.searchParams.get('camera_id')).toBe(lobby);
});

test('=LDH-001, LDH-002, LDH-003 the heatmap is drawn in three scales, for one person, and an hour leads to its visits', async () => {
  const asked = answer(visitCountRoutes.grouped, (seen) =>
    seen.url.searchParams.get('by') === 'day'
      ? counts([{ key: '2026-03-03', recognized: 5, unrecognized: 0 }])
      : counts([{ key: '2-14', recognized: 5, unrecognized: 1 }]),
  );
  answer(visitRoutes.faceLogs, { count: 0, results: [] });
  await openPanel('heatmap', `&person=${leyla}`);
  const cell = await screen.findByRole('button', { name: 'Tuesday, 14:00 · 6' });
  expect(asked.at(-1)!.url.searchParams.get('person_id')).toBe(leyla);
  const legend = screen.getByText('High (6)').parentElement;
  expect(legend).toBeVisible();
  expect(legend).toHaveTextContent(/^Low *High \(6\)$/);
  await userEvent.click(screen.getByRole('radio', { name: 'Day' }));
  expect(await screen.findByRole('button', { name: 'Tuesday, March 3 · 5' })).toHaveTextContent(
    '5',
  );
  await userEvent.click(screen.getByRole('radio', { name: 'Week' }));
  expect(await screen.findByRole('button', { name: 'Mar 2 – Mar 8 · 5' })).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Hour' }));
  await waitFor(() => expect(cell).not.toBeInTheDocument());
  await userEvent.click(await screen.findByRole('button', { name: 'Tuesday, 14:00 · 6' }));
  await waitFor(() => expect(searchOfPage()).toContain('hour=14'));
  expect(await screen.findByText(/14:00 – 15:00/)).toBeVisible();
  expect(
    screen.getByText('No face recognition events found for the selected filters.'),
  ).toBeVisible();
});

test('NSH-042, CON-035 visits come by 100 and 1000 at most, days of people by 20', async () => {
  const asked = answer(visitRoutes.faceLogs, { count: 5000, results: [aVisit()] });
  const limit = () => asked.at(-1)!.url.searchParams.get('limit');
  await openPanel('timeline');
  for (let hundreds = 1; hundreds < 10; hundreds += 1) {
    await waitFor(() => expect(limit()).toBe(String(hundreds * 100)));
    await userEvent.click(await screen.findByRole('button', { name: 'Load More', busy: false }));
  }
  await waitFor(() => expect(limit()).toBe('1000'));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull());
  const daily = answer(visitCountRoutes.daily, { count: 41, results: [] });
  await userEvent.click(screen.getByRole('tab', { name: 'Daily Face Recognition' }));
  await userEvent.click(screen.getByRole('radio', { name: 'Table' }));
  await userEvent.click(await screen.findByRole('button', { name: /3$/ }));
  await waitFor(() => expect(daily.at(-1)!.url.searchParams.get('page')).toBe('3'));
  expect(daily.at(-1)!.url.searchParams.get('limit')).toBe('20');
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
  const asked = answer(visitRoutes.faceLogs, { count: 2, results: visits });
  await openPanel('timeline', `&person=${leyla}&camera=${lobby}`);
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

test('LDD-001, LDD-002 daily figures of a person as bars, lines, donut and table', async () => {
  const asked = answer(
    visitCountRoutes.grouped,
    counts([
      { key: '2026-03-03', recognized: 3, unrecognized: 0 },
      { key: '2026-03-04', recognized: 5, unrecognized: 0 },
    ]),
  );
  answer(visitCountRoutes.daily, { count: 1, results: [aDay] });
  await openPanel('daily', '&person=Leyla');
  const chart = await screen.findByRole('slider', { name: 'Daily Face Recognition' });
  expect(chart).toBeVisible();
  expect(asked.at(-1)!.url.searchParams.get('person_name')).toBe('Leyla');
  const outlines = () => chart.querySelectorAll('svg path').length;
  const days = async (): Promise<(string | null)[]> => {
    act(() => chart.focus());
    const last = chart.getAttribute('aria-valuetext');
    await userEvent.keyboard('{ArrowLeft}');
    return [chart.getAttribute('aria-valuetext'), last];
  };
  const figures = [
    expect.stringMatching(/^Mar 3\b.*\b3\b/),
    expect.stringMatching(/^Mar 4\b.*\b5\b/),
  ];
  expect(outlines()).toBe(0);
  expect(await days()).toEqual(figures);
  await userEvent.click(screen.getByRole('radio', { name: 'Line' }));
  await waitFor(() => expect(outlines()).toBeGreaterThan(0));
  expect(await days()).toEqual(figures);
  await userEvent.click(screen.getByRole('radio', { name: 'Donut' }));
  expect(await screen.findByText('100%')).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Table' }));
  expect(await screen.findByRole('row', { name: /Mar 4, 2026 Leyla Orucova 5/ })).toBeVisible();
  const gone = answer(visitDeletionRoutes.removeDay, undefined as never);
  await userEvent.click(
    screen.getByRole('button', { name: 'Mark as deleted: Leyla Orucova, Mar 4, 2026' }),
  );
  const question = await screen.findByRole('alertdialog');
  await userEvent.click(within(question).getByRole('button', { name: 'Mark as deleted' }));
  expect(await screen.findByText('Log marked as deleted')).toBeVisible();
  expect(gone[0]!.params).toEqual({ id: `2026-03-04.${leyla}` });
  expect(searchOfPage()).toContain('form=table');
});

test('LDD-001 the daily table says when there are more days and people than its pages hold', async () => {
  answer(visitCountRoutes.grouped, counts([]));
  answer(visitCountRoutes.daily, { count: 10_000, more: true, results: [aDay] });
  await openPanel('daily', '&form=table');
  expect(await screen.findByText('More than 10,000 entries')).toBeVisible();
  answer(visitCountRoutes.daily, { count: 1, results: [aDay] });
  await openPanel('daily', '&form=table&page=2');
  expect(await screen.findByRole('row', { name: /Leyla Orucova/ })).toBeVisible();
  expect(screen.queryByText('More than 10,000 entries')).toBeNull();
});

test('LDD-003 a page of days that is there no more gives way to the first', async () => {
  answer(visitCountRoutes.daily, ({ url }) =>
    url.searchParams.get('page') === '1'
      ? { count: 1, results: [aDay] }
      : fieldRefusal({ page: ['There are fewer pages.'] }),
  );
  await openPanel('daily', '&form=table&page=99');
  expect(await screen.findByRole('row', { name: /Leyla Orucova/ })).toBeVisible();
  expect(searchOfPage()).not.toContain('page=');
});

test('LDP-005 the details show the face of the newest visit', async () => {
  const [newest, older] = [anId(), anId()];
  const address = (id: string): string => `/secure-api/activity-log/face-logs/${id}/image/`;
  const pictures = answer(
    visitRoutes.picture,
    () => new HttpResponse('jpeg', { headers: { 'Content-Type': 'image/jpeg' } }),
  );
  answer(visitRoutes.faceLogs, {
    count: 2,
    results: [newest, older].map((id) =>
      aVisit({ id, face_image_url: address(id), person_id: leyla }),
    ),
  });
  await openPanel('people', `&person=${leyla}`);
  expect(await screen.findByAltText('Face of Leyla Orucova')).toBeVisible();
  expect(pictures.map(({ url }) => url.pathname)).toEqual([address(newest)]);
});

const nigar = '77777777-7777-4777-8777-777777777777';
const select = 'Select a person to view details';

/** Person Analytics with two people, of whom one may be named, and the rows of its list. */
async function openPeople(): Promise<{ list: HTMLElement; rows: HTMLElement[] }> {
  answer(
    visitCountRoutes.people,
    seenPeople([
      aSeenPerson(),
      aSeenPerson({ key: nigar, name: 'Nigar Aliyeva', visits: 3 }),
      aSeenPerson({ key: 'hidden', name: 'Known person' }),
    ]),
  );
  await openPanel('people');
  const list = await screen.findByRole('list', { name: 'Person Analytics' });
  return { list, rows: within(list).getAllByRole('button') };
}

test('LDP-004, LDP-009, LDP-012 a person of the list opens their details, and closes them', async () => {
  const { rows } = await openPeople();
  const asked = answer(visitCountRoutes.byPerson, { results: [aPerson()] });
  expect(screen.getByText(select)).toBeVisible();
  await userEvent.click(rows[0]!);
  const details = screen.getByRole('region', { name: 'Details' });
  expect(
    await within(details).findByRole('heading', { level: 3, name: 'Leyla Orucova' }),
  ).toBeVisible();
  expect(screen.queryByText(select)).toBeNull();
  expect(searchOfPage()).toContain(`person=${leyla}`);
  expect(asked.at(-1)!.url.searchParams.get('person_id')).toBe(leyla);
  await userEvent.click(rows[0]!);
  expect(await screen.findByText(select)).toBeVisible();
  expect(within(details).queryByRole('heading', { level: 3 })).toBeNull();
  expect(searchOfPage()).not.toContain('person=');
});

test('~LDP-001, LDP-002, LDP-010 the list is scrolled beyond 500 px, leads to whom one may name, and is asked for again', async () => {
  const { list, rows } = await openPeople();
  expect(rows).toHaveLength(2);
  expect(list.parentElement).toHaveClass('max-h-[500px]', 'overflow-y-auto');
  const again = answer(
    visitCountRoutes.people,
    seenPeople([aSeenPerson({ key: nigar, name: 'Nigar Aliyeva', visits: 4 })]),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Refresh the list of people' }));
  await waitFor(() => expect(list).not.toHaveTextContent('Leyla Orucova'));
  expect(list).toHaveTextContent('Nigar Aliyeva');
  expect(again).toHaveLength(1);
});

test('LDP-006, LDP-007 the details say how often, since when, on how many cameras, and the rate to a tenth', async () => {
  const seen = aPerson({ total_detections: 1200, recognized_count: 1199, unrecognized_count: 1 });
  answer(visitCountRoutes.byPerson, { results: [seen] });
  await openPanel('people', `&person=${leyla}`);
  const details = await screen.findByRole('region', { name: 'Details' });
  expect(await within(details).findByText('99.9%')).toBeVisible();
  const values = [...details.querySelectorAll('dt')].map((name) => [
    name.textContent,
    name.nextElementSibling!.textContent,
  ]);
  expect(values).toEqual([
    ['Total detections', '1,200'],
    ['First seen', expect.stringContaining('Mar 1, 2026')],
    ['Last seen', expect.stringContaining('Mar 4, 2026')],
    ['Cameras', '2'],
    ['Recognition rate', '99.9%'],
  ]);
});

test('LDP-008 the five newest visits of the person: when, where, and whether recognized', async () => {
  const visits = [
    aVisit({ is_recognized: true, person_id: leyla, timestamp: '2026-03-04T12:00:00.000Z' }),
    aVisit({ camera_name: 'Yard', timestamp: '2026-03-02T12:00:00.000Z' }),
  ];
  const asked = answer(visitRoutes.faceLogs, { count: 2, results: visits });
  await openPanel('people', `&person=${leyla}`);
  const recent = await screen.findByRole('region', { name: 'Recent detections' });
  const [first, second] = within(recent).getAllByRole('listitem');
  expect(first).toHaveTextContent(/Mar 4, 2026.*Lobby.*Recognized$/);
  expect(second).toHaveTextContent(/Mar 2, 2026.*Yard.*Unknown$/);
  const { limit, person_id: person } = Object.fromEntries(asked.at(-1)!.url.searchParams);
  expect({ limit, person }).toEqual({ limit: '5', person: leyla });
});

/** The server's part: a page of 120 people, or those with a part of the name. */
function answerManyPeople() {
  const people = Array.from({ length: 120 }, (_, index) =>
    aSeenPerson({
      key: leyla.replace(/^5{8}/, String(50_000_000 + index)),
      name: `Person ${index + 1}`,
      visits: 240 - 2 * index,
    }),
  );
  return answer(visitCountRoutes.people, ({ url: { searchParams } }) => {
    const [page, limit] = [
      Number(searchParams.get('page') ?? 1),
      Number(searchParams.get('limit')),
    ];
    const [part, id] = [searchParams.get('search') ?? '', searchParams.get('person_id')];
    const found = people.filter(
      ({ key, name }) => name.endsWith(part) && (id === null || key === id),
    );
    const results = found.slice((page - 1) * limit, page * limit);
    return HttpResponse.json(seenPeople(results, { count: found.length, most: 240 }));
  });
}

test('~LDP-001 the list of people comes page by page, is found by name, and its bars keep their measure', async () => {
  answerManyPeople();
  await openPanel('people');
  const list = await screen.findByRole('list', { name: 'Person Analytics' });
  expect(within(list).getAllByRole('button')).toHaveLength(50);
  await userEvent.click(screen.getByRole('button', { name: 'Page 3' }));
  await waitFor(() => expect(within(list).getAllByRole('button')).toHaveLength(20));
  const last = within(list).getByRole('button', { name: /Person 120/ });
  expect(last.querySelector('[style*="width"]')).toHaveStyle({ width: `${(100 * 2) / 240}%` });
  expect(searchOfPage()).toContain('page=3');
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search people' }), '117{Enter}');
  await waitFor(() => expect(within(list).getAllByRole('button')).toHaveLength(1));
  expect(searchOfPage()).toContain('who="117"');
  expect(searchOfPage()).not.toContain('page=');
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search people' }), 'x{Enter}');
  expect(await screen.findByText('No people with this name were seen in this time.')).toBeVisible();
});

test('a person one may not name is no other to be searched for', async () => {
  const hidden = aSeenPerson({ key: 'hidden', name: 'Known person' });
  answer(visitCountRoutes.people, seenPeople([hidden, aSeenPerson()]));
  await openPanel('daily');
  const filter = await screen.findByRole('combobox', { name: 'Person' });
  await within(filter).findByRole('option', { name: 'Leyla Orucova' });
  expect(within(filter).getAllByRole('option')).toHaveLength(2);
  expect(filter).not.toHaveAccessibleDescription();
});

test('the filter lists the people seen most, and finds the others by name', async () => {
  answerManyPeople();
  const chosen = leyla.replace(/^5{8}/, '50000099');
  await openPanel('daily', `&person=${chosen}`);
  const filter = await screen.findByRole('combobox', { name: 'Person' });
  await waitFor(() => expect(filter).toHaveDisplayValue('Person 100'));
  expect(within(filter).getAllByRole('option')).toHaveLength(52);
  expect(filter).toHaveAccessibleDescription(
    '50 of 120 people are listed: search for others by name.',
  );
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search people' }), '77{Enter}');
  const found = await screen.findByRole('option', { name: 'Person 77' });
  expect(within(filter).queryByRole('option', { name: 'Person 1' })).toBeNull();
  expect(filter).toHaveDisplayValue('Person 100');
  await userEvent.selectOptions(filter, found);
  await waitFor(() => expect(searchOfPage()).toContain('person=50000076'));
});

test('CON-022 ten people at most on one panel, five visits and a list of 500 px on the other', async () => {
  const people = answer(visitCountRoutes.people, seenPeople([aSeenPerson()]));
  const visits = answer(visitRoutes.faceLogs, { count: 1, results: [aVisit()] });
  await openPanel('faces');
  expect(await screen.findByRole('list', { name: 'Top 10 recognized people' })).toBeVisible();
  // The filter beside it asks for people, too, before or after it.
  expect(people.map(({ url }) => url.searchParams.get('limit'))).toContain('10');
  await userEvent.click(screen.getByRole('tab', { name: 'Person Analytics' }));
  const list = await screen.findByRole('list', { name: 'Person Analytics' });
  expect(list.parentElement).toHaveClass('max-h-[500px]');
  await userEvent.click(within(list).getByRole('button'));
  await waitFor(() => expect(visits.at(-1)?.url.searchParams.get('limit')).toBe('5'));
});

const yard = '88888888-8888-4888-8888-888888888888';
const lobbyDetails = {
  ...aCameraRow(),
  first_detection: '2026-03-03T05:06:07.000Z',
  last_detection: '2026-03-04T05:06:07.000Z',
  unique_persons: 4 as number | null,
  recent_logs: [aVisit()],
};

/** The names and values of the details, in their order. */
const factsOf = (region: HTMLElement): (string | null)[][] =>
  [...region.querySelectorAll('dt')].map((name) => [
    name.textContent,
    name.nextElementSibling!.textContent,
  ]);

test('LDC-001, LDC-003 each camera has one bar of its two counts, the busiest first, and opens its details', async () => {
  answer(visitCountRoutes.byCamera, [
    aCameraRow(),
    aCameraRow({
      camera_id: yard,
      camera_name: 'Yard',
      total_detections: 1200,
      recognized_count: 900,
      unrecognized_count: 300,
    }),
  ]);
  const asked = answer(visitCountRoutes.cameraDetails, lobbyDetails);
  await openPanel('cameras');
  const list = await screen.findByRole('list', { name: 'Camera Analytics' });
  const rows = within(list).getAllByRole('button');
  expect(rows.map((row) => row.getAttribute('aria-label'))).toEqual([
    'Yard · Recognized 900 · Unrecognized 300',
    'Lobby · Recognized 30 · Unrecognized 10',
  ]);
  expect(rows[0]).toHaveTextContent('1,200');
  expect(rows[1]).toHaveTextContent('40');
  const region = screen.getByRole('region', { name: 'Details' });
  expect(within(region).queryByRole('heading', { level: 3 })).toBeNull();
  expect(asked).toEqual([]);
  await userEvent.click(rows[1]!);
  expect(await within(region).findByRole('heading', { level: 3, name: 'Lobby' })).toBeVisible();
  expect(asked.at(-1)!.url.searchParams.get('camera_id')).toBe(lobby);
});

test('LDC-004 the details say when the first and last person was there, and how many people were', async () => {
  answer(visitCountRoutes.cameraDetails, lobbyDetails);
  await openPanel('cameras', `&camera=${lobby}`);
  const region = await screen.findByRole('region', { name: 'Details' });
  await within(region).findByRole('heading', { level: 3, name: 'Lobby' });
  expect(factsOf(region)).toEqual([
    ['First detection', expect.stringContaining('Mar 3, 2026')],
    ['Last detection', expect.stringContaining('Mar 4, 2026')],
    ['Unique persons', '4'],
    ['Recognition rate', '75%'],
  ]);
});

test('LDC-005, =ENT-027 without visits there is no rate, and no number of people one may not name', async () => {
  answer(visitCountRoutes.cameraDetails, {
    ...lobbyDetails,
    unique_persons: null,
  });
  await openPanel('cameras', `&camera=${lobby}`);
  const region = await screen.findByRole('region', { name: 'Details' });
  expect(await within(region).findByText('75%')).toBeVisible();
  expect(factsOf(region)).toContainEqual(['Unique persons', '–']);
  answer(visitCountRoutes.cameraDetails, {
    ...lobbyDetails,
    total_detections: 0,
    recognized_count: 0,
    unrecognized_count: 0,
    first_detection: null,
    last_detection: null,
    recent_logs: [],
  });
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await within(region).findByText('N/A')).toBeVisible();
  expect(factsOf(region).slice(0, 2)).toEqual([
    ['First detection', '–'],
    ['Last detection', '–'],
  ]);
});

test('LDC-006 the newest visits of a camera: when, who or Unknown, and whether recognized', async () => {
  answer(visitCountRoutes.cameraDetails, {
    ...lobbyDetails,
    recent_logs: [
      aVisit({
        is_recognized: true,
        person_name: 'Leyla Orucova',
        person_id: leyla,
        timestamp: '2026-03-04T12:00:00.000Z',
      }),
      aVisit({ timestamp: '2026-03-02T12:00:00.000Z' }),
    ],
  });
  await openPanel('cameras', `&camera=${lobby}`);
  const recent = await screen.findByRole('region', { name: 'Recent detections' });
  const [known, unknown] = within(recent).getAllByRole('listitem');
  expect(known).toHaveTextContent(/Mar 4, 2026.*Leyla Orucova.*Recognized$/);
  expect(unknown).toHaveTextContent(/Mar 2, 2026.*Unknown.*Unknown$/);
});
