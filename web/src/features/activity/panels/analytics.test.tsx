import { activityRoutes } from '@nazar/contract/activity.ts';
import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { faceLogCountRoutes } from '@nazar/contract/face-log-counts.ts';
import { faceLogDeletionRoutes } from '@nazar/contract/face-log-deletion.ts';
import { sightingRoutes } from '@nazar/contract/sightings.ts';
import { systemLogRoutes } from '@nazar/contract/system-logs.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aUser, aVisit } from '#testing/builders.ts';
import {
  aDay,
  aCameraRow,
  answerPanels,
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
  expect(searchOfPage()).toContain('tab=analytics');
  await userEvent.click(within(list).getByRole('tab', { name: 'Camera Analytics' }));
  expect(searchOfPage()).toContain('panel=cameras');
});

test('LDO-009, LDO-010, LDO-011, LDO-012, LDO-013, LDO-014, LDO-016, LDO-017, ENT-034 the overview counts logs of all kinds, and leads to them', async () => {
  const kinds = answer(analyticsRoutes.logKinds, [
    { name: 'activity', value: 9000 },
    { name: 'system', value: 2463 },
    { name: 'face_recognition', value: 40 },
  ]);
  await openPanel('', '&type=camera');
  expect(await screen.findByText(/Mar 3, 2026 – Mar 4, 2026 · Content type: Camera/)).toBeVisible();
  const figure = async (value: string) => (await screen.findAllByText(value))[0]!.closest('.card');
  expect(await figure('1,500')).toHaveTextContent('Activity logs1,500');
  expect(await figure('2,463')).toHaveTextContent('System logs2,463');
  // 9,000 entries, 2,463 lines, 40 visits: only the entries have a content type.
  expect(await figure('11,503')).toHaveTextContent(
    'Total logs11,503Previous: 11,503 (0%)Depends on: Period and User',
  );
  expect(await figure('40')).toHaveTextContent(
    'Visits40Previous: 40 (0%)Recognized: 30 · Unrecognized: 10',
  );
  const levels = await screen.findByRole('region', { name: 'System logs by level' });
  for (const name of [/^Error · System logs 3/, /^Info · System logs 2,460/])
    expect(await within(levels).findByRole('button', { name })).toBeVisible();
  const byKind = screen.getByRole('region', { name: 'By log type' });
  expect(byKind).toHaveTextContent('Depends on: Period and User');
  for (const name of [
    /^Activity logs · Logs 9,000/,
    /^System logs · Logs 2,463/,
    /^Face.* · Logs 40/,
  ])
    expect(within(byKind).getByRole('button', { name })).toBeVisible();
  const results = screen.getByRole('region', { name: 'Recognition results' });
  expect(await within(results).findByText('75%')).toBeVisible();
  expect(results).toHaveTextContent('Depends on: Period and User');
  expect(kinds.at(-1)!.url.searchParams.has('content_type')).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: /^View · / }));
  await waitFor(() => expect(searchOfPage()).toMatch(/action=view/));
  expect(searchOfPage()).not.toContain('tab=');
  expect(searchOfPage()).toContain('from=2026-03-03');
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

test('nothing is said of a period in which there was no system', async () => {
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
  answer(faceLogCountRoutes.stats, (seen) =>
    isNow(seen) ? { total: 4, recognized: 3, unrecognized: 1, success_rate: 75 } : noVisits,
  );
  await openPanel('');
  expect(await screen.findByText('Total logs')).toBeVisible();
  await waitFor(() =>
    expect(screen.getByText('Total logs').closest('.card')).toHaveTextContent('15'),
  );
  expect(screen.queryByText(/^Previous/)).toBeNull();
});

test('CFL-016, LDO-008 who is an administrator is what the logs’ own call of the user says', async () => {
  const me = aUser({ role: 'user', is_staff: false, is_superuser: false });
  await openPanel('', '', me);
  await screen.findByText('By action');
  expect(screen.queryByRole('combobox', { name: 'User' })).toBeNull();
  cleanup();
  const stats = answer(faceLogCountRoutes.stats, noVisits);
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
  await userEvent.click(
    await within(levels).findByRole('button', { name: /^Error · System logs 3/ }),
  );
  await waitFor(() => expect(searchOfPage()).toContain('panel=system'));
  expect(searchOfPage()).toContain('level=error');
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
  const stats = answer(faceLogCountRoutes.stats, {
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

test('~LDF-002, LDF-003, LDF-004, LDF-005, LDF-006, CON-022, CON-026 totals, rate, lines over time, ratio and the ten seen most', async () => {
  const people = Array.from({ length: 12 }, (_, index) =>
    aSeenPerson({ key: leyla.replace(/^5{8}/, String(50_000_000 + index)), name: `P${index}` }),
  );
  const asked = answer(faceLogCountRoutes.people, ({ url }) =>
    HttpResponse.json(seenPeople(people.slice(0, Number(url.searchParams.get('limit'))))),
  );
  const { container } = await openPanel('faces', `&camera=${lobby}`);
  expect((await screen.findByText('Success rate')).closest('.card')).toHaveTextContent('75%');
  const chart = await screen.findByRole('slider', { name: 'Recognition over time' });
  chart.focus();
  await userEvent.keyboard('{ArrowLeft}');
  expect(chart).toHaveAttribute('aria-valuetext', 'Mar 3 · Recognized 20 · Unrecognized 4');
  expect(container.querySelectorAll('path[fill="var(--recognized)"]').length).toBeGreaterThan(0);
  const top = await screen.findByRole('list', { name: 'Top 10 recognized people' });
  expect(within(top).getAllByRole('button')).toHaveLength(10);
  expect(asked.at(-1)!.url.searchParams.get('camera_id')).toBe(lobby);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(searchOfPage()).toContain('from=2026-03-03&to=2026-03-03'));
  expect(searchOfPage()).toContain('panel=timeline');
  expect(searchOfPage()).toContain(lobby);
});

test('LDH-001, LDH-002, LDH-003 the heatmap is drawn in three scales, for one person, and an hour leads to its visits', async () => {
  const asked = answer(faceLogCountRoutes.grouped, (seen) =>
    seen.url.searchParams.get('by') === 'day'
      ? counts([{ key: '2026-03-03', recognized: 5, unrecognized: 0 }])
      : counts([{ key: '2-14', recognized: 5, unrecognized: 1 }]),
  );
  answer(sightingRoutes.faceLogs, { count: 0, results: [] });
  await openPanel('heatmap', `&person=${leyla}`);
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
  await waitFor(() => expect(searchOfPage()).toContain('hour=14'));
  expect(await screen.findByText(/14:00 – 15:00/)).toBeVisible();
  expect(
    screen.getByText('No face recognition events found for the selected filters.'),
  ).toBeVisible();
});

test('NSH-042, CON-035 visits come by 100 and 1000 at most, days of people by 20', async () => {
  const asked = answer(sightingRoutes.faceLogs, { count: 5000, results: [aVisit()] });
  const limit = () => asked.at(-1)!.url.searchParams.get('limit');
  await openPanel('timeline');
  for (let hundreds = 1; hundreds < 10; hundreds += 1) {
    await waitFor(() => expect(limit()).toBe(String(hundreds * 100)));
    await userEvent.click(await screen.findByRole('button', { name: 'Load More', busy: false }));
  }
  await waitFor(() => expect(limit()).toBe('1000'));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull());
  const daily = answer(faceLogCountRoutes.daily, { count: 41, results: [] });
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
  const asked = answer(sightingRoutes.faceLogs, { count: 2, results: visits });
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
    faceLogCountRoutes.grouped,
    counts([{ key: '2026-03-04', recognized: 5, unrecognized: 0 }]),
  );
  answer(faceLogCountRoutes.daily, { count: 1, results: [aDay] });
  await openPanel('daily', '&person=Leyla');
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
  expect(searchOfPage()).toContain('form=table');
});

test('LDD-001 the daily table says when there are more days and people than its pages hold', async () => {
  answer(faceLogCountRoutes.grouped, counts([]));
  answer(faceLogCountRoutes.daily, { count: 10_000, more: true, results: [aDay] });
  await openPanel('daily', '&form=table');
  expect(await screen.findByText('More than 10,000 entries')).toBeVisible();
  answer(faceLogCountRoutes.daily, { count: 1, results: [aDay] });
  await openPanel('daily', '&form=table&page=2');
  expect(await screen.findByRole('row', { name: /Leyla Orucova/ })).toBeVisible();
  expect(screen.queryByText('More than 10,000 entries')).toBeNull();
});

test('LDD-003 a page of days that is there no more gives way to the first', async () => {
  answer(faceLogCountRoutes.daily, ({ url }) =>
    url.searchParams.get('page') === '1'
      ? { count: 1, results: [aDay] }
      : fieldRefusal({ page: ['There are fewer pages.'] }),
  );
  await openPanel('daily', '&form=table&page=99');
  expect(await screen.findByRole('row', { name: /Leyla Orucova/ })).toBeVisible();
  expect(searchOfPage()).not.toContain('page=');
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
  await openPanel('people', `&person=${leyla}`);
  expect(await screen.findByAltText('Face of Leyla Orucova')).toBeVisible();
  expect(pictures.some(({ url }) => url.pathname === address)).toBe(true);
});

test('~LDP-001, LDP-002, LDP-004, LDP-006, LDP-007, LDP-008, LDP-009, LDP-010, LDP-012 a person of the list opens their details, and closes them', async () => {
  const recent = answer(sightingRoutes.faceLogs, {
    count: 1,
    results: [aVisit({ is_recognized: true, person_name: 'Leyla Orucova', person_id: leyla })],
  });
  const asked = answer(
    faceLogCountRoutes.people,
    seenPeople([aSeenPerson(), aSeenPerson({ key: 'hidden', name: 'Known person' })]),
  );
  await openPanel('people');
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
  expect(searchOfPage()).toContain(`person=${leyla}`);
  expect(recent.at(-1)!.url.searchParams.get('limit')).toBe('5');
  await userEvent.click(row!);
  expect(await screen.findByText('Select a person to view details')).toBeVisible();
  const before = asked.length;
  await userEvent.click(screen.getByRole('button', { name: 'Refresh the list of people' }));
  await waitFor(() => expect(asked.length).toBeGreaterThan(before));
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
  return answer(faceLogCountRoutes.people, ({ url: { searchParams } }) => {
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

test('whom one may not name is no other to be searched for', async () => {
  const hidden = aSeenPerson({ key: 'hidden', name: 'Known person' });
  answer(faceLogCountRoutes.people, seenPeople([hidden, aSeenPerson()]));
  await openPanel('daily');
  const filter = await screen.findByRole('combobox', { name: 'Person' });
  await within(filter).findByRole('option', { name: 'Leyla Orucova' });
  expect(within(filter).getAllByRole('option')).toHaveLength(2);
  expect(filter).not.toHaveAccessibleDescription();
});

test('of many people the filter lists those seen most, and finds the others by name', async () => {
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

test('LDC-001, LDC-003, LDC-004, LDC-005, LDC-006 a camera opens its details; without visits its rate is N/A', async () => {
  const details = {
    ...aCameraRow(),
    first_detection: '2026-03-03T05:06:07.000Z',
    last_detection: '2026-03-04T05:06:07.000Z',
    unique_persons: 4,
    recent_logs: [aVisit()],
  };
  answer(faceLogCountRoutes.cameraDetails, details);
  await openPanel('cameras');
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
