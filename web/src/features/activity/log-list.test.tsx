import { activityRoutes } from '@nazar/contract/activity.ts';
import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { visitCountRoutes } from '@nazar/contract/visit-counts.ts';
import { systemLogRoutes } from '@nazar/contract/system-logs.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { anEntry, chooseAction, openList, pageOf, atDesk } from '#testing/activity-list.ts';
import { anId, aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal, type Seen } from '#testing/server.ts';
import { listWithoutSlash } from './queries.ts';

const plainUser = () => aUser({ role: 'user', is_staff: false, is_superuser: false });
const address = () => decodeURIComponent(location.search);
const queryOf = (asked: readonly Seen[]) => Object.fromEntries(asked.at(-1)!.url.searchParams);

atDesk();

test('LOG-002 the entries as a table and as cards', async () => {
  await renderApp({
    path: '/activity-log',
    user: aUser(),
    activity: () => pageOf([anEntry()]),
  });
  expect(await screen.findByRole('table')).toHaveTextContent('Camera Gate was changed');
  await userEvent.click(screen.getByRole('radio', { name: 'Cards' }));
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.getByText('Camera Gate was changed')).toBeVisible();
  expect(address()).toContain('view=cards');
});

test('LOG-005, LOG-006, LOG-018, =LOG-013 actions, content types and order as stated; each change leads to the first page', async () => {
  const entry = anEntry({ content_type_name: 'erasure' });
  const seen: Seen[] = [];
  await renderApp({
    path: '/activity-log?page=2',
    user: aUser(),
    activity: (one) => {
      seen.push(one);
      return pageOf([entry], 60);
    },
  });
  await screen.findByRole('table');
  // By time, the newest first, is what the server does unasked.
  expect(queryOf(seen)).toEqual({ page: '2', limit: '20' });
  await userEvent.click(screen.getByRole('button', { name: 'Advanced filters' }));
  const words = (name: string) =>
    within(screen.getByRole('combobox', { name }))
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
  expect(new Set(words('Action').slice(1))).toEqual(
    new Set([
      'Create',
      'Update',
      'Delete',
      'View',
      'Login',
      'Logout',
      'Export',
      'Import',
      'Search',
      'Test',
    ]),
  );
  // What is always offered, and what the entries have.
  expect(words('Content type')).toEqual([
    'All types',
    'User',
    'Camera',
    'Face',
    'Alert',
    'Notification',
    'Recording',
    'System',
    'Erasure',
  ]);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Action' }), 'Login');
  await waitFor(() => expect(queryOf(seen)).toMatchObject({ action: 'login', page: '1' }));
  for (const [label, sort, direction] of [
    ['Oldest first', undefined, 'asc'],
    ['User, A to Z', 'user', 'asc'],
    ['Action, Z to A', 'action', 'desc'],
    ['IP address, ascending', 'ip', 'asc'],
  ] as const) {
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), label);
    await waitFor(() =>
      expect(queryOf(seen)).toEqual({
        action: 'login',
        ...(sort !== undefined && { sort_by: sort }),
        sort_direction: direction,
        page: '1',
        limit: '20',
      }),
    );
  }
});

test('LOG-006 with nothing read the types are the seven', async () => {
  await renderApp({ path: '/activity-log', user: aUser() });
  await screen.findByText('No activity yet');
  await userEvent.click(screen.getByRole('button', { name: 'Advanced filters' }));
  const types = within(screen.getByRole('combobox', { name: 'Content type' })).getAllByRole(
    'option',
  );
  expect(types).toHaveLength(8);
});

test('LOG-011, ~LOG-012 five of the last searches are offered, the newest first', async () => {
  await renderApp({ path: '/activity-log', user: aUser() });
  const box = await screen.findByRole('searchbox', { name: 'Search the activity log' });
  for (const term of ['one', 'two', 'three', 'four', 'five', 'six']) {
    await userEvent.clear(box);
    await userEvent.type(box, `${term}{Enter}`);
    await waitFor(() => expect(address()).toContain(`search=${term}`));
  }
  await userEvent.click(screen.getByRole('button', { name: 'Saved searches' }));
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items.slice(-5)).toEqual(['six', 'five', 'four', 'three', 'two']);
  expect(localStorage.getItem('recent-searches')).toContain('three');
});

test('a field that asks on Enter keeps the focus, and follows the address', async () => {
  await renderApp({ path: '/activity-log?ip=192.0.2.7', user: aUser() });
  const ip = await screen.findByRole('textbox', { name: 'IP address' });
  await userEvent.clear(ip);
  await userEvent.type(ip, '192.0.2.9{Enter}');
  await waitFor(() => expect(address()).toContain('192.0.2.9'));
  expect(ip).toHaveFocus();
  history.back();
  await waitFor(() => expect(ip).toHaveValue('192.0.2.7'));
});

test('LOG-021 all entries are deleted after a question, and none when it is cancelled', async () => {
  const removed = answer(activityRoutes.removeAll, { deleted: 1500 });
  await openList();
  await chooseAction('Delete all entries');
  const dialog = await screen.findByRole('alertdialog', {
    name: 'Delete all entries of all users?',
  });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(removed).toHaveLength(0);
  await chooseAction('Delete all entries');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete all' }));
  expect(await screen.findByText('1,500 entries deleted')).toBeVisible();
  expect(removed).toHaveLength(1);
});

/** What is asked to be made. */
const answerMock = () =>
  answer(activityRoutes.addMock, ({ body }) => ({ created: (body as { count: number }).count }));

test('LOG-027, =LOG-032 Create Test Log makes one entry', async () => {
  const made = answerMock();
  await openList();
  await chooseAction('Create Test Log');
  expect(await screen.findByText('Test log created')).toBeVisible();
  expect(made.map(({ body }) => body)).toEqual([{ count: 1 }]);
});

test('LOG-023, LOG-028, LOG-033 Create Mock Logs makes as many as asked for, within 1 and 1000', async () => {
  const made = answerMock();
  await openList();
  for (const [typed, count] of [
    [null, 50],
    ['0', 1],
    ['-7', 1],
    ['1001', 1000],
    ['12', 12],
  ] as const) {
    await chooseAction('Create Mock Logs');
    const dialog = await screen.findByRole('dialog', { name: 'Create Mock Logs' });
    const field = within(dialog).getByLabelText(/^Number of entries/);
    if (typed === null) expect(field).toHaveValue(50);
    else {
      await userEvent.clear(field);
      await userEvent.type(field, typed);
    }
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create entries' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(made.at(-1)!.body).toEqual({ count });
  }
  expect(made.map(({ body }) => (body as { count: number }).count)).toEqual([50, 1, 1, 1000, 12]);
});

test('LOG-026, CON-024 the intervals are 10, 30, 60 and 300 seconds, 30 at first', async () => {
  await openList();
  await userEvent.click(screen.getByRole('button', { name: 'More actions' }));
  const intervals = await screen.findAllByRole('menuitemradio');
  expect(intervals.map(({ textContent }) => textContent)).toEqual([
    '10 seconds',
    '30 seconds',
    '60 seconds',
    '300 seconds',
  ]);
  expect(intervals.map((one) => one.getAttribute('aria-checked'))).toEqual([
    'false',
    'true',
    'false',
    'false',
  ]);
});

test('LOG-025, LOG-035, =LOG-039 the list refreshes itself unless switched off; a failure stays until it is dismissed', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const type = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    let reply: () => ReturnType<typeof pageOf> | Response = () => pageOf([anEntry()]);
    await renderApp({ path: '/activity-log', user: aUser() });
    const asked = answer(activityRoutes.list, () => reply());
    await vi.advanceTimersByTimeAsync(30_500);
    expect(await screen.findByText('Camera Gate was changed')).toBeVisible();
    const menu = async (): Promise<void> =>
      type.click(screen.getByRole('button', { name: 'More actions' }));
    await menu();
    await type.click(await screen.findByRole('menuitemradio', { name: '10 seconds' }));
    const before = asked.length;
    await vi.advanceTimersByTimeAsync(10_500);
    await waitFor(() => expect(asked.length).toBe(before + 1));
    reply = () => refusal(500, 'internal', '');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await screen.findByText('Failed to refresh logs')).toBeVisible();
    reply = () => pageOf([anEntry()]);
    await menu();
    await type.click(await screen.findByRole('menuitemcheckbox', { name: 'Auto-refresh' }));
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    const off = asked.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.length).toBe(off);
    expect(screen.getByText('Failed to refresh logs')).toBeVisible();
    await type.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText('Failed to refresh logs')).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

/** What the first panel of the other tab asks. */
function answerPanels(): void {
  answer(userRoutes.list, { count: 0, results: [] });
  answer(analyticsRoutes.logKinds, []);
  answer(activityRoutes.countByAction, { results: [] });
  answer(systemLogRoutes.countByLevel, []);
  const none = { total: 0, recognized: 0, unrecognized: 0, success_rate: null };
  answer(visitCountRoutes.stats, none);
}

test('LOG-034 the list refreshes itself on its own tab alone', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const type = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    answerPanels();
    await renderApp({ path: '/activity-log', user: aUser() });
    const asked = answer(activityRoutes.list, pageOf([anEntry()]));
    await vi.advanceTimersByTimeAsync(31_000);
    const seen = asked.length;
    expect(seen).toBeGreaterThan(0);
    await type.click(await screen.findByRole('tab', { name: 'Analytics Dashboard' }));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(asked.length).toBe(seen);
    await type.click(screen.getByRole('tab', { name: 'Log List' }));
    await waitFor(() => expect(asked.length).toBe(seen + 1));
    await vi.advanceTimersByTimeAsync(31_000);
    expect(asked.length).toBe(seen + 2);
  } finally {
    vi.useRealTimers();
  }
});

test('APL-026, APL-027, APL-028 a list that fails is asked for without its last slash, then by its filters, each with the same', async () => {
  const params =
    '?search=gate&type=camera&action=update&ip=192.0.2.7&from=2026-03-01&to=2026-03-02';
  await renderApp({ path: `/activity-log${params}`, user: aUser() });
  let isSecondAway = true;
  const second = answer(listWithoutSlash, () =>
    isSecondAway ? refusal(502, '', '') : pageOf([anEntry({ description: 'Second way' })]),
  );
  const first = answer(activityRoutes.list, () => refusal(502, '', ''));
  const third = answer(activityRoutes.filter, pageOf([anEntry({ description: 'Third way' })]));
  expect(await screen.findByText('Third way')).toBeVisible();
  const expected = {
    search: 'gate',
    content_type: 'camera',
    action: 'update',
    ip_address: '192.0.2.7',
    start_date: new Date(2026, 2, 1).toISOString(),
    end_date: new Date(2026, 2, 3).toISOString(),
    page: '1',
    limit: '20',
  };
  expect(queryOf(first)).toEqual(expected);
  expect(queryOf(second)).toEqual(expected);
  expect(third.map(({ body }) => body)).toEqual([{ ...expected, page: 1, limit: 20 }]);
  isSecondAway = false;
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Oldest first');
  expect(await screen.findByText('Second way')).toBeVisible();
  expect(third).toHaveLength(1);
});

test('APL-027 a refusal is an answer: no other way is tried', async () => {
  await openList(() => refusal(400, 'invalid', 'Wrong.'), '?search=x');
  expect(await screen.findByText('Failed to load activity logs. Please try again.')).toBeVisible();
  const second = answer(listWithoutSlash, pageOf([]));
  const first = answer(activityRoutes.list, () => refusal(400, 'invalid', 'Wrong.'));
  const third = answer(activityRoutes.filter, pageOf([]));
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(first).toHaveLength(1));
  expect(await screen.findByText('Failed to load activity logs. Please try again.')).toBeVisible();
  expect([second, third]).toEqual([[], []]);
});

test('=LOG-051, CFL-044 the last entries of this user stand with their time when no way leads to the server', async () => {
  const me = aUser();
  const scene = { path: '/activity-log', user: me };
  await renderApp({ ...scene, activity: () => pageOf([anEntry({ user: me.id })]) });
  await screen.findByText('Camera Gate was changed');
  await waitFor(() => expect(localStorage.getItem('logs-cache')).toContain('Gate'));
  cleanup();
  const away = () => refusal(503, 'internal', '') as never;
  await renderApp({ ...scene, activity: away });
  expect(await screen.findByText('Camera Gate was changed')).toBeVisible();
  expect(screen.getByText(/^Loaded logs from local storage · .*\d/)).toBeVisible();
  cleanup();
  await renderApp({ ...scene, user: aUser({ id: anId() }), activity: away });
  expect(await screen.findByText('Failed to load activity logs. Please try again.')).toBeVisible();
  expect(screen.queryByText('Camera Gate was changed')).toBeNull();
});

test('LOG-002 a row says what changed, in words: values before and after, fields without values by name', async () => {
  const changes = {
    status: { from: 'active', to: 'inactive' },
    fps: { from: 25, to: 12 },
    enable_audio: { from: false, to: true },
    location: { from: 'Yard', to: 'Hall' },
  };
  const changed = anEntry({ additional_data: { changes, fields: ['password'] } });
  const set = anEntry({
    event: 'camera.status_changed',
    description: 'Set Gate to inactive',
    additional_data: { from: 'active', to: 'inactive' },
  });
  await openList(() => pageOf([changed, set]));
  const [first, second] = screen.getAllByRole('row').slice(1);
  const status = 'Status: Active → Inactive';
  expect(first).toHaveTextContent(
    `${status} · Frames per second: 25 → 12 · Sound: No → Yes · and 2 more`,
  );
  expect(second).toHaveTextContent(`Set Gate to inactive${status}`);
});

test('C-1010, =LOG-051 the copy in the browser keeps entries and no names of people in them', async () => {
  const me = aUser();
  const aylin = anEntry({
    user: me.id,
    description: 'Changed the details of Aylin Example',
    content_type_name: 'face',
    object_id: anId(),
    object_name: 'Aylin Example',
  });
  await renderApp({ path: '/activity-log', user: me, activity: () => pageOf([aylin, anEntry()]) });
  await screen.findByText('Changed the details of Aylin Example');
  await waitFor(() => expect(localStorage.getItem('logs-cache')).toContain('Gate'));
  const kept = localStorage.getItem('logs-cache') ?? '';
  expect(kept).toContain('Changed the details of …');
  expect(kept).not.toContain('Aylin');
});

test('LOG-029, LOG-046, =LOG-039 Clear Cache removes the copy of the last entries, says so, and the sentence goes', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    await renderApp({
      path: '/activity-log',
      user: aUser(),
      activity: () => pageOf([anEntry()]),
    });
    await screen.findByText('Camera Gate was changed');
    await waitFor(() => expect(localStorage.getItem('logs-cache')).toContain('Gate'));
    const type = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await type.click(screen.getByRole('button', { name: 'More actions' }));
    await type.click(await screen.findByRole('menuitem', { name: 'Clear Cache' }));
    expect(await screen.findByText('Cache cleared')).toBeVisible();
    expect(localStorage.getItem('logs-cache')).toBeNull();
    await vi.advanceTimersByTimeAsync(2_500);
    expect(screen.getByText('Cache cleared')).toBeVisible();
    await vi.advanceTimersByTimeAsync(1_100);
    await waitFor(() => expect(screen.queryByText('Cache cleared')).toBeNull());
  } finally {
    vi.useRealTimers();
  }
});

test('LOG-030, LOG-031 the debug panel says where the entries are from, the filters and the last requests', async () => {
  await renderApp({
    path: '/activity-log?search=gate',
    user: aUser(),
    activity: () => pageOf([anEntry()]),
  });
  await screen.findByRole('table');
  await chooseAction('Debug panel');
  const panel = await screen.findByRole('region', { name: 'Debug panel' });
  expect(panel).toHaveTextContent('Data sourceServer');
  expect(panel).toHaveTextContent('"search":"gate"');
  expect(panel).toHaveTextContent('/secure-api/activity-log/activity-logs/?search=gate');
});

test('=LOG-043, LOG-036, LOG-037 a reader of all entries sees of whom they are, staff, too', async () => {
  await openList(() => pageOf([anEntry({ user_name: 'Nigar Aliyeva' })]), '', {
    ...plainUser(),
    is_staff: true,
  });
  expect(screen.getByRole('columnheader', { name: 'User' })).toBeVisible();
  expect(screen.getByText('View and manage all user activity logs')).toBeVisible();
  cleanup();
  await openList(() => pageOf([anEntry()]), '', plainUser());
  expect(screen.queryByRole('columnheader', { name: 'User' })).toBeNull();
  expect(screen.queryByText('View and manage all user activity logs')).toBeNull();
});

test('LOG-016, LOG-017, =LOG-015 two of fifteen pages either side of the eighth are offered, and the ways to the ends', async () => {
  const asked = await openList(() => pageOf([anEntry()], 300), '?page=8');
  expect(queryOf(asked)).toMatchObject({ page: '8', limit: '20' });
  expect(await screen.findByText('Showing page 8 of 15')).toBeVisible();
  const pages = screen.getByRole('navigation', { name: 'Pages' });
  const offered = [...pages.children].map(({ textContent }) => textContent).filter(Boolean);
  expect(offered.join(' ')).toBe('1 … 6 7 8 9 10 … 15');
  for (const [name, page] of [
    ['Next page', '9'],
    ['Previous page', '8'],
    ['Last page', '15'],
    ['First page', '1'],
  ] as const) {
    await userEvent.click(screen.getByRole('button', { name }));
    expect(await screen.findByText(`Showing page ${page} of 15`)).toBeVisible();
  }
});

test('~LOG-043, ~LOG-032 a user who is no administrator sees no users, makes no mock entries, and deletes their own', async () => {
  await openList(() => pageOf([anEntry()]), '', plainUser());
  expect(screen.queryByRole('columnheader', { name: 'User' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'More actions' }));
  await screen.findByRole('menuitem', { name: 'Delete all entries' });
  expect(screen.queryByRole('menuitem', { name: 'Create Mock Logs' })).toBeNull();
  expect(screen.queryByRole('menuitem', { name: 'Create Test Log' })).toBeNull();
  await userEvent.click(screen.getByRole('menuitem', { name: 'Delete all entries' }));
  expect(
    await screen.findByRole('alertdialog', { name: 'Delete all your entries?' }),
  ).toBeVisible();
});

test('LOG-016 a page of entries that is there no more gives way to the first, and no failure is shown', async () => {
  await openList(
    ({ url }) =>
      url.searchParams.get('page') === '1'
        ? pageOf([anEntry()])
        : fieldRefusal({ page: ['There are fewer pages.'] }),
    '?page=999999&search=gate',
  );
  await waitFor(() => expect(address()).toBe('?search=gate'));
  expect(await screen.findByRole('table')).toHaveTextContent('was changed');
  expect(screen.queryByText(/Failed/)).toBeNull();
});

test('LOG-020 the question before one entry is deleted is of one, before two of two; those two are deleted, and by Cancel none', async () => {
  const [one, kept, other] = [anEntry(), anEntry(), anEntry()];
  await openList(() => pageOf([one, kept, other]));
  const gone = answer(activityRoutes.removeMany, { deleted: 2 });
  const [first, , second] = await screen.findAllByRole('checkbox', { name: /Camera Gate/ });
  await userEvent.click(first!);
  await userEvent.click(screen.getByRole('button', { name: 'Delete selected' }));
  const question = await screen.findByRole('alertdialog', { name: 'Delete 1 entry?' });
  expect(question).toHaveTextContent('It disappears from the activity log for everyone.');
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
  await userEvent.click(second!);
  await userEvent.click(screen.getByRole('button', { name: 'Delete selected' }));
  const ofTwo = await screen.findByRole('alertdialog', { name: 'Delete 2 entries?' });
  expect(ofTwo).toHaveTextContent('They disappear from the activity log for everyone.');
  expect(gone).toEqual([]);
  await userEvent.click(within(ofTwo).getByRole('button', { name: 'Delete selected' }));
  expect(await screen.findByText('2 entries deleted')).toBeVisible();
  expect(gone.map(({ body }) => body)).toEqual([{ ids: [one.id, other.id] }]);
});

test('NAV-012 unknown parts of the address reach neither the page nor the server', async () => {
  const asked = await openList(
    () => pageOf([anEntry()]),
    '?from=nonsense&to=2026-02-30&action=fly&page=abc&search=gate',
  );
  expect(await screen.findByRole('table')).toHaveTextContent('was changed');
  expect(queryOf(asked)).toEqual({ search: 'gate', page: '1', limit: '20' });
});
