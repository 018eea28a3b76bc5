import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import type { News } from '@nazar/contract/live.ts';
import { savedSearchRoutes } from '@nazar/contract/saved-searches.ts';
import { visitRoutes, type Detection } from '@nazar/contract/visits.ts';
import { systemRoutes } from '@nazar/contract/system.ts';
import { warningRoutes, type Warning } from '@nazar/contract/warnings.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aDetection, anId, aSummary, aUser } from '#testing/builders.ts';
import { nowMs, statesWithoutView } from '#testing/camera-states.ts';
import { aCamera } from '#testing/cameras.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';
import { allIsWell } from '#testing/usual-replies.ts';

const cameras = (results: Camera[]) =>
  answer(cameraRoutes.list, { count: results.length, results });

beforeEach(() => {
  answer(visitRoutes.detections, { results: [aDetection()] });
  cameras([aCamera()]);
});
afterEach(() => vi.useRealTimers());

const open = () => renderApp({ path: '/', user: aUser() });

async function figure(label: string): Promise<HTMLElement> {
  const card = (await screen.findByText(label)).closest('.card');
  return card as HTMLElement;
}

/** After the scene is set, which brings answers of its own. */
async function openWith(summary: Parameters<typeof aSummary>[0]): Promise<void> {
  await open();
  answer(analyticsRoutes.summary, aSummary(summary));
  await screen.findByText('Total faces');
  act(() => FakeSocket.opened[0]?.receive({ kind: 'changed', what: 'detections' }));
}

const lastWeek = 'vs last week';

/** The four cards, each with a figure of its own. */
const openFigures = () =>
  openWith({
    face_stats: { total: 1284, known: 1284, unknown: 31, unknown_more: false, trend: 4 },
    camera_stats: { total: 24, active: 22, inactive: 2, maintenance: 0, error: 0, live: 21 },
    recognition_rate: { rate: 95.34, trend: -0.42 },
  });

test('DASH-003, DASH-004, DASH-006 cards of people, of cameras of all there are, and of the rate', async () => {
  await openFigures();
  await waitFor(async () => expect(await figure('Total faces')).toHaveTextContent('1,284'));
  expect(await figure('Active cameras')).toHaveTextContent('22of 24 total · Sending video now: 21');
  expect(await figure('Recognition rate')).toHaveTextContent('95.3%');
});

test('=DASH-007, =NSH-011 people and rate are compared with last week, in people and in points; nothing else is', async () => {
  await openFigures();
  await waitFor(async () => expect(await figure('Total faces')).toHaveTextContent(`+4${lastWeek}`));
  expect(await figure('Recognition rate')).toHaveTextContent(`95.3%-0.4 pp${lastWeek}`);
  for (const other of ['Active cameras', 'Unknown faces'])
    expect(await figure(other)).not.toHaveTextContent(lastWeek);
});

test('CFL-033, ~DASH-005 the unknown faces are those that are really there', async () => {
  await openFigures();
  await waitFor(async () => expect(await figure('Unknown faces')).toHaveTextContent('31'));
});

test('CFL-049 Dashboard is `/`, where staff are administrators, too; that of the log is Analytics Dashboard', async () => {
  const warned: string[] = [];
  const openAs = (who: Partial<ReturnType<typeof aUser>>, path = '/') =>
    renderApp({
      path,
      user: aUser({ role: 'user', is_staff: false, is_superuser: false, ...who }),
      warnings: () => {
        warned.push(path);
        return { results: [] };
      },
    });
  for (const who of [
    { role: 'admin' as const },
    { role: 'superadmin' as const },
    { is_staff: true },
    { is_superuser: true },
  ]) {
    warned.length = 0;
    await openAs(who);
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await waitFor(() => expect(warned, JSON.stringify(who)).toEqual(['/']));
    cleanup();
  }
  warned.length = 0;
  await openAs({});
  await screen.findByText('Total faces');
  expect(warned).toEqual([]);
  cleanup();
  answer(savedSearchRoutes.list, { results: [] });
  await openAs({}, '/activity-log');
  expect(await screen.findByRole('tab', { name: 'Analytics Dashboard' })).toBeVisible();
  expect(screen.queryByRole('tab', { name: 'Dashboard' })).toBeNull();
});

test('=DASH-005 more unknown faces than are counted are shown as such', async () => {
  await openWith({
    face_stats: { total: 12, known: 12, unknown: 10_000, unknown_more: true, trend: null },
  });
  const faces = await figure('Unknown faces');
  await waitFor(() => expect(faces).toHaveTextContent('10,000+'));
});

test('=DASH-005, =NSH-010, ~CFL-033 View all leads to the people whom the figure counts', async () => {
  await open();
  const link = within(await figure('Unknown faces')).getByRole('link', { name: /^View all/ });
  expect(link).toHaveAttribute('href', '/face-database?view=unknown&progress=new');
});

test('=DASH-008 without visits there is no rate and no comparison, and no invented figure', async () => {
  await openWith({ recognition_rate: { rate: null, trend: null } });
  const rate = await figure('Recognition rate');
  await waitFor(() => expect(rate).toHaveTextContent('–No data yet'));
  expect(screen.queryByText('vs last week')).not.toBeInTheDocument();
});

test('DASH-009, DASH-010, ~CON-014, ~ENT-017, ~CFL-031, ~CFL-034 the five newest visits: who, where, when', async () => {
  const asked = answer(visitRoutes.detections, {
    results: [
      aDetection({ face_name: 'Manon Unknowner', camera_name: 'Yard', is_recognized: true }),
      aDetection(),
    ],
  });
  await open();
  const list = await screen.findByRole('list', { name: 'Recent face detections' });
  const [known, unknown] = within(list).getAllByRole('listitem');
  expect(known).toHaveTextContent(/^Manon UnknownerRecognizedYard/);
  expect(unknown).toHaveTextContent(/^UnknownUnknownLobby/);
  expect(known?.querySelector('time')).toHaveAttribute('datetime', '2026-03-04T05:06:07.000Z');
  expect(asked[0]?.url.search).toBe('?limit=5');
});

test('~DASH-009 a picture that a privacy mask hides says so in its place', async () => {
  answer(visitRoutes.detections, { results: [aDetection({ picture_hidden: true })] });
  await open();
  const list = await screen.findByRole('list', { name: 'Recent face detections' });
  expect(within(list).getByText('Hidden by a privacy mask')).toBeVisible();
});

test('DASH-009 a new visit stands on top at once; a sixth falls out', async () => {
  const before = Array.from({ length: 5 }, (_, index) =>
    aDetection({
      camera_name: `Camera ${index}`,
      timestamp: `2026-03-04T05:0${5 - index}:00.000Z`,
    }),
  );
  const newest = aDetection({
    face_name: 'Leyla Orucova',
    is_recognized: true,
    timestamp: '2026-03-04T06:00:00.000Z',
  });
  answer(visitRoutes.detections, { results: before });
  await open();
  const list = await screen.findByRole('list', { name: 'Recent face detections' });
  // The server keeps its next answer to itself: the news alone must do.
  answer(visitRoutes.detections, () => new Promise<never>(() => undefined));
  act(() => FakeSocket.opened[0]?.receive({ kind: 'visits', seen: [newest], gone: [] }));
  await waitFor(() =>
    expect(within(list).getAllByRole('listitem')[0]).toHaveTextContent('Leyla Orucova'),
  );
  expect(within(list).getAllByRole('listitem')).toHaveLength(5);
  expect(within(list).queryByText('Camera 4')).not.toBeInTheDocument();
  expect(within(list).getAllByRole('listitem')[0]).toHaveClass('animate-fresh');
  expect(within(list).getAllByRole('listitem')[1]).not.toHaveClass('animate-fresh');
});

const receive = (news: News): void => act(() => FakeSocket.opened[0]?.receive(news));
const figuresChanged: News = { kind: 'changed', what: 'visits' };

/** Five visits of other names, the newest first. */
const fiveVisits = () =>
  Array.from({ length: 5 }, (_, index) =>
    aDetection({
      id: anId(),
      is_recognized: true,
      face_name: `Person ${index}`,
      timestamp: `2026-03-04T05:0${5 - index}:00.000Z`,
    }),
  );

const namesOf = (list: HTMLElement): (string | undefined)[] =>
  within(list)
    .getAllByRole('listitem')
    .map((row) => /Person \d/.exec(row.textContent)?.[0]);

test('~DASH-009 a visit that is another person’s now changes its row; a deleted one is replaced by the next, with the figures', async () => {
  const five = fiveVisits();
  const [first, second, , , last] = five;
  answer(visitRoutes.detections, { results: five });
  await open();
  const list = await screen.findByRole('list', { name: 'Recent face detections' });
  receive(figuresChanged);
  await waitFor(() => expect(namesOf(list)[0]).toBe('Person 0'));
  const asked = answer(visitRoutes.detections, {
    results: [
      first!,
      ...five.slice(2),
      aDetection({ id: anId(), is_recognized: true, face_name: 'Person 7' }),
    ],
  });
  const counted = answer(analyticsRoutes.summary, aSummary());
  receive({ kind: 'visits', seen: [{ ...last!, face_name: 'Person 9' }], gone: [second!.id] });
  await waitFor(() =>
    expect(namesOf(list)).toEqual(['Person 0', 'Person 2', 'Person 3', 'Person 9']),
  );
  expect([asked.length, counted.length]).toEqual([0, 0]);
  receive(figuresChanged);
  await waitFor(() => expect(namesOf(list)).toContain('Person 7'));
  expect([asked.length, counted.length]).toEqual([1, 1]);
});

test('~DASH-002 visits one after another ask for nothing; the figures are asked for when the server says so, the list is not', async () => {
  answer(visitRoutes.detections, { results: fiveVisits() });
  await open();
  const list = await screen.findByRole('list', { name: 'Recent face detections' });
  // What came between the first answer and the news is asked for once.
  const first = answer(visitRoutes.detections, { results: fiveVisits() });
  receive(figuresChanged);
  await waitFor(() => expect(first).toHaveLength(1));
  await waitFor(() => expect(screen.getByText('Total faces')).toBeVisible());
  const asked = answer(visitRoutes.detections, { results: [] });
  const counted = answer(analyticsRoutes.summary, aSummary());
  for (let nth = 0; nth < 15; nth += 1) {
    const timestamp = `2026-03-04T06:00:${10 + nth}.000Z`;
    const seen = [
      aDetection({ id: anId(), is_recognized: true, face_name: `Person ${nth % 10}`, timestamp }),
    ];
    receive({ kind: 'visits', seen, gone: [] });
  }
  await waitFor(() =>
    expect(namesOf(list)).toEqual(['Person 4', 'Person 3', 'Person 2', 'Person 1', 'Person 0']),
  );
  expect([asked.length, counted.length]).toEqual([0, 0]);
  receive(figuresChanged);
  await waitFor(() => expect(counted).toHaveLength(1));
  expect(asked).toHaveLength(0);
});

test('~DASH-009 a visit that comes while the list is asked for is not lost by an answer of before', async () => {
  const five = fiveVisits();
  answer(visitRoutes.detections, { results: five });
  await open();
  const list = await screen.findByRole('list', { name: 'Recent face detections' });
  const before = Promise.withResolvers<{ results: Detection[] }>();
  const slow = answer(visitRoutes.detections, () => before.promise);
  receive({ kind: 'changed', what: 'detections' });
  await waitFor(() => expect(slow).toHaveLength(1));
  const newest = aDetection({
    id: anId(),
    is_recognized: true,
    face_name: 'Person 8',
    timestamp: '2026-03-04T06:00:00.000Z',
  });
  receive({ kind: 'visits', seen: [newest], gone: [] });
  await waitFor(() => expect(namesOf(list)[0]).toBe('Person 8'));
  await act(async () => before.resolve({ results: five }));
  await waitFor(() => expect(namesOf(list)[0]).toBe('Person 0'));
  answer(visitRoutes.detections, { results: [newest, ...five.slice(0, 4)] });
  receive(figuresChanged);
  await waitFor(() => expect(namesOf(list)[0]).toBe('Person 8'));
});

test('a hidden page asks nothing, however much comes, and once when it is shown again', async () => {
  answer(visitRoutes.detections, { results: fiveVisits() });
  await open();
  await screen.findByRole('list', { name: 'Recent face detections' });
  await screen.findByText('Total faces');
  const asked = [
    answer(visitRoutes.detections, { results: fiveVisits() }),
    answer(analyticsRoutes.summary, aSummary()),
    answer(cameraRoutes.list, { count: 0, results: [] }),
  ];
  const shown = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  for (let nth = 0; nth < 5; nth += 1) {
    receive({ kind: 'visits', seen: [aDetection({ id: anId() })], gone: [] });
    receive(figuresChanged);
    receive({ kind: 'changed', what: 'cameras' });
  }
  expect(asked.map((seen) => seen.length)).toEqual([0, 0, 0]);
  shown.mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await waitFor(() => expect(asked.every((seen) => seen.length > 0)).toBe(true));
  expect(asked.map((seen) => seen.length)).toEqual([1, 1, 1]);
  shown.mockRestore();
});

test('DASH-011 each camera says the one sentence, in the one colour, of its state', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  for (let from = 0; from < statesWithoutView.length; from += 6) {
    const shown = statesWithoutView.slice(from, from + 6);
    cameras(shown.map(({ camera }, index) => ({ ...camera, id: anId(), name: `C${index}` })));
    const { unmount } = await open();
    const list = await screen.findByRole('list', { name: 'Camera status' });
    for (const [index, { sentence, tone }] of shown.entries()) {
      const row = within(list).getByText(`C${index}`).closest('li')!;
      const line = within(row).getByText(sentence).closest('[data-camera-state]');
      expect(line).toHaveAttribute('data-camera-state', tone);
    }
    unmount();
  }
});

test('DASH-011 cameras with place, status and what their ingest does; those in trouble first', async () => {
  const good = aCamera({ id: anId(), name: 'Entrance', location: 'Hall' });
  const down_since = new Date(2026, 0, 15, 11, 51).toISOString();
  const health = { ...good.health, state: 'offline', cause: 'unreachable', down_since } as const;
  const lost = aCamera({ id: anId(), name: 'Yard', health });
  cameras([good, aCamera({ id: anId(), name: 'Attic', status: 'inactive' }), lost]);
  await open();
  const list = await screen.findByRole('list', { name: 'Camera status' });
  const rows = within(list).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    "YardGround floorOffline since Jan 15, 11:51: the camera can't be reached · Not set to record nowActive",
    'EntranceHallLive · Not set to record nowActive',
    'AtticGround floorInactive: not watched or recordedInactive',
  ]);
  expect(within(list).getByRole('link', { name: 'Yard' })).toHaveAttribute(
    'href',
    `/cameras/${lost.id}`,
  );
});

test('~DASH-014, ~NSH-009 System Status is what the probes found, with reasons and time', async () => {
  answer(systemRoutes.health, {
    ...allIsWell,
    camera_system: { status: 'degraded', detail: 'health.cameras_partly' },
    database: { status: 'down', detail: 'health.database_down' },
  });
  await open();
  const list = await screen.findByRole('list', { name: 'System Status' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((row) => row.textContent),
  ).toEqual([
    'Face RecognitionOperational',
    "Camera SystemDegradedSome active cameras aren't sending video.",
    "DatabaseDownThe database isn't responding.",
    'API ServicesOperational',
    'Activity LogOperational',
  ]);
  expect(screen.getByText(/^Checked at \d/)).toBeInTheDocument();
});

test('DASH-002, DASH-015 everything is asked again each 30 seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await open();
  const asked = [
    answer(analyticsRoutes.summary, aSummary()),
    answer(visitRoutes.detections, { results: [] }),
    cameras([]),
    answer(systemRoutes.health, allIsWell),
  ];
  await screen.findByText('System Status');
  await waitFor(() => expect(asked.every((seen) => seen.length > 0)).toBe(true));
  const atFirst = asked.map((seen) => seen.length);
  await act(() => vi.advanceTimersByTimeAsync(28_000));
  expect(asked.map((seen) => seen.length)).toEqual(atFirst);
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  await waitFor(() =>
    expect(asked.every((seen, index) => seen.length > atFirst[index]!)).toBe(true),
  );
});

test('~DASH-016, ~NSH-045 figures that could not be refreshed stay, with their age and another try', async () => {
  await open();
  await screen.findByRole('list', { name: 'System Status' });
  answer(analyticsRoutes.summary, refusal(500, 'internal', 'x'));
  act(() => FakeSocket.opened[0]?.receive({ kind: 'changed', what: 'detections' }));
  expect(await screen.findByText(/Showing cached data from \d/)).toBeInTheDocument();
  expect(await figure('Total faces')).toHaveTextContent('12');
  answer(analyticsRoutes.summary, aSummary());
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(screen.queryByText(/Showing cached data/)).not.toBeInTheDocument());
});

test('a newcomer sees what to do next; a user who may add no camera reads whom to ask', async () => {
  const none = { total: 0, active: 0, inactive: 0, maintenance: 0, error: 0, live: 0 };
  const noFaces = { total: 0, known: 0, unknown: 0, unknown_more: false, trend: null };
  const { unmount } = await open();
  answer(analyticsRoutes.summary, aSummary({ camera_stats: none, face_stats: noFaces }));
  act(() => FakeSocket.opened[0]?.receive({ kind: 'changed', what: 'detections' }));
  const steps = within(await screen.findByRole('region', { name: 'Next steps' }));
  expect(steps.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/cameras',
    '/face-database?add=true',
  ]);
  unmount();
  await renderApp({
    path: '/',
    user: aUser({ role: 'user', is_staff: false, is_superuser: false }),
  });
  answer(analyticsRoutes.summary, aSummary({ camera_stats: none, face_stats: noFaces }));
  act(() => FakeSocket.opened.at(-1)?.receive({ kind: 'changed', what: 'detections' }));
  expect(await screen.findByText(/^No camera is shared with you yet/)).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: /^Add a person/ })).toBeNull();
});

test('a user who sees cameras and enrolled no one is not asked to', async () => {
  const noFaces = { total: 0, known: 0, unknown: 0, unknown_more: false, trend: null };
  const guard = aUser({ role: 'user', is_staff: false, is_superuser: false });
  answer(analyticsRoutes.summary, aSummary({ face_stats: noFaces }));
  await renderApp({ path: '/', user: guard });
  answer(analyticsRoutes.summary, aSummary({ face_stats: noFaces }));
  act(() => FakeSocket.opened.at(-1)?.receive({ kind: 'changed', what: 'detections' }));
  await waitFor(async () => expect(await figure('Total faces')).toHaveTextContent('0'));
  expect(screen.queryByRole('region', { name: 'Next steps' })).toBeNull();
});

test('the traffic of the last day is drawn, and readable without seeing it', async () => {
  await openWith({
    traffic_flow: [
      { timestamp: '2026-03-04T04:00:00.000Z', count: 3 },
      { timestamp: '2026-03-04T05:00:00.000Z', count: 7 },
    ],
  });
  const table = await screen.findByRole('table', { name: 'Visits per hour, last 24 hours' });
  expect(
    within(table)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['3', '7']);
});

const aWarning = (more: Partial<Warning> = {}): Warning => ({
  id: '0190f7c1-0000-7000-8000-00000000000a',
  kind: 'session_stolen',
  severity: 'critical',
  subject: 'elif@example.org',
  count: 1,
  first_at: '2026-03-04T05:06:07.000Z',
  last_at: '2026-03-04T05:06:07.000Z',
  details: {},
  ...more,
});

test('C-808 administrators read what they are warned of, and take note of it', async () => {
  const person = userEvent.setup();
  const living = [
    aWarning(),
    aWarning({
      id: 'b',
      kind: 'disk_low',
      severity: 'warning',
      subject: null,
      count: 3,
      details: { free_bytes: 812_345_678 },
    }),
    aWarning({
      id: 'c',
      kind: 'folder_hung',
      subject: null,
      details: { folder: '/recordings-2/' },
    }),
    aWarning({
      id: 'd',
      kind: 'storage_short',
      severity: 'warning',
      subject: null,
      details: { kept_days: 0.6, wanted_days: 30, short_cameras: 2 },
    }),
  ];
  const kept = answer(warningRoutes.acknowledge, () => {
    living.shift();
    return undefined as never;
  });
  await renderApp({
    path: '/',
    user: aUser({ role: 'admin', is_staff: true }),
    warnings: () => ({ results: living }),
  });
  const list = await screen.findByRole('list', { name: 'Warnings' });
  expect(list).toHaveTextContent('A copy of a session of elif@example.org was used.');
  expect(list).toHaveTextContent('The disk is almost full: 812 MB left.');
  expect(list).toHaveTextContent("The recording folder /recordings-2/ isn't responding.");
  expect(list).toHaveTextContent(
    'About 0.6 days of recordings fit on the disk instead of 30 days.',
  );
  expect(list).toHaveTextContent('3 times');
  await person.click(within(list).getByRole('button', { name: /^Got it: A copy of a session/ }));
  await waitFor(() => expect(kept[0]?.params).toEqual({ id: aWarning().id }));
  await waitFor(() => expect(list).not.toHaveTextContent('elif@example.org'));
});

test('C-808 a warning of a person who looks like another leads to what that account added', async () => {
  const user = '0190f7c1-0000-7000-8000-0000000000ff';
  const warning = aWarning({ kind: 'person_matched', details: { user } });
  await renderApp({
    path: '/',
    user: aUser({ role: 'admin', is_staff: true }),
    warnings: () => ({ results: [warning] }),
  });
  expect(
    await screen.findByText(
      'elif@example.org added a person who looks like someone an administrator added.',
    ),
  ).toBeInTheDocument();
  const link = screen.getByRole('link', { name: 'Show the people this account added' });
  expect(link).toHaveAttribute('href', expect.stringContaining(`added_by=${user}`));
});

test('C-808 warnings of models that change by themselves say which, and lead to their settings', async () => {
  const details = { from: 'old-model@1', to: 'new-model@2', until: '2026-03-11T05:06:07.000Z' };
  const kinds = ['models_changed', 'models_waiting'] as const;
  const results = kinds.map((kind) =>
    aWarning({ id: kind, kind, severity: 'warning', subject: null, details }),
  );
  const warnings = () => ({ results });
  const { unmount } = await renderApp({ path: '/', user: aUser({ role: 'admin' }), warnings });
  const [changed, waiting] = within(
    await screen.findByRole('list', { name: 'Warnings' }),
  ).getAllByRole('listitem');
  expect(changed).toHaveTextContent(
    /Nazar now uses new-model to recognize people, instead of old-model\. Switching back is possible until .*11.*\./,
  );
  expect(waiting).toHaveTextContent(
    "Some photos can't be used with new-model. Nazar changes to it only after an administrator agrees.",
  );
  for (const row of [changed!, waiting!]) {
    const link = within(row).getByRole('link', { name: 'Open recognition settings' });
    expect(link).toHaveAttribute('href', '/settings/recognition');
  }
  unmount();
  // A staff account reads warnings, and changes no models.
  await renderApp({ path: '/', user: aUser({ role: 'user', is_staff: true }), warnings });
  expect(await screen.findByText(/^Some photos can't be used with new-model/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Open recognition settings' })).toBeNull();
});

test('C-808 only administrators are asked about warnings, and without any there is no card', async () => {
  let asked = 0;
  const warnings = () => {
    asked += 1;
    return { results: [] };
  };
  const { unmount } = await renderApp({
    path: '/',
    user: aUser({ role: 'operator', is_staff: false, is_superuser: false }),
    warnings,
  });
  await screen.findByText('Total faces');
  expect(asked).toBe(0);
  unmount();
  await renderApp({ path: '/', user: aUser({ role: 'admin', is_staff: true }), warnings });
  await waitFor(() => expect(asked).toBe(1));
  await screen.findByText('Total faces');
  expect(screen.queryByText('Warnings')).not.toBeInTheDocument();
});

test('C-803 ~DASH-014 a changed chain is reported under System Status', async () => {
  answer(systemRoutes.health, {
    ...allIsWell,
    audit_record: { status: 'down', detail: 'health.record_broken' },
  });
  await open();
  expect(
    await screen.findByText('The activity log was changed outside Nazar.'),
  ).toBeInTheDocument();
});

test('~DASH-014 the days of recordings that really fit stand under System Status, as a warning where they are too few', async () => {
  const storageText = async (kept_days: number) => {
    const storage_fit = { kept_days, wanted_days: 30, short_cameras: kept_days < 30 ? 1 : 0 };
    answer(systemRoutes.health, { ...allIsWell, storage_fit });
    await renderApp({ path: '/', user: aUser({ role: 'admin', is_staff: true }) });
    const list = await screen.findByRole('list', { name: 'System Status' });
    const row = within(list).getByText('Recording storage').closest('li');
    const text = row?.textContent ?? '';
    cleanup();
    return text;
  };
  expect(await storageText(0.6)).toBe(
    'Recording storageToo smallAbout 0.6 days of 30 days fit on the disk.',
  );
  expect(await storageText(30)).toBe('Recording storageOperational30 days fit on the disk.');
});
