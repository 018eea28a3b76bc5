import { activityRoutes } from '@nazar/contract/activity.ts';
import { systemLogRoutes, type SystemLogEntry } from '@nazar/contract/system-logs.ts';
import { savedSearchRoutes } from '@nazar/contract/saved-searches.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { anId, aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal, type Seen } from '#testing/server.ts';
import { fieldsOf } from './line-details.tsx';
import { linesOf, sumsOf } from './lines.ts';

const aLine = (over: Partial<SystemLogEntry> = {}): SystemLogEntry => ({
  id: anId(),
  level: 'error',
  message: 'camera went away',
  source: 'media',
  user: null,
  user_name: '',
  timestamp: '2026-03-04T05:06:07.000Z',
  repeats: 1,
  last_at: '2026-03-04T05:06:07.000Z',
  details: {},
  ...over,
});

const lines = (count: number, over: Partial<SystemLogEntry> = {}): SystemLogEntry[] =>
  Array.from({ length: count }, (_, index) => aLine({ message: `line ${index}`, ...over }));

const otherUserId = '99999999-9999-4999-8999-999999999999';

beforeEach(() => {
  answer(systemLogRoutes.list, { count: 1, more: false, results: [aLine()] });
  answer(systemLogRoutes.stats, [
    { source: 'browser', error: 1, warning: 0, info: 0, debug: 0 },
    { source: 'media', error: 1200, warning: 30, info: 4, debug: 0 },
  ]);
  answer(userRoutes.list, { count: 0, results: [] });
  answer(savedSearchRoutes.list, { results: [] });
});

const open = (more = '', user = aUser()) =>
  renderApp({ path: `/activity-log?tab=analytics&panel=system${more}`, user });
const address = () => decodeURIComponent(location.search);
const list = () => screen.findByRole('list', { name: 'System Logs' });
const asksOf = (asked: readonly { url: URL }[]) =>
  Object.fromEntries(asked.at(-1)!.url.searchParams);

const countsOfSources = [
  { source: 'browser', error: 1, warning: 0, info: 0, debug: 2 },
  { source: 'media', error: 1200, warning: 30, info: 4, debug: 0 },
];

/** `Errors` stands in a card at the head of the panel. */
async function cardOf(name: string): Promise<Element> {
  const words = await screen.findAllByText(name);
  return words.find((one) => one.closest('.card') !== null)!.closest('.card')!;
}

test('LDS-001, ~APL-023 four counts are sums over the sources, and lead to their level', async () => {
  const counted = answer(systemLogRoutes.stats, countsOfSources);
  await open(`&user=${otherUserId}`);
  for (const [name, figure] of [
    ['Errors', '1,201'],
    ['Warnings', '30'],
    ['Info', '4'],
    ['Debug', '2'],
  ] as const)
    await waitFor(async () => expect(await cardOf(name)).toHaveTextContent(`${name}${figure}`));
  expect(counted.at(-1)!.url.pathname).toBe('/secure-api/activity-log/system-logs/stats/');
  expect(asksOf(counted)).toMatchObject({ user: otherUserId });
  await userEvent.click(screen.getByRole('button', { name: 'Show only these: Warnings' }));
  expect(address()).toContain('level=warning');
});

test('LDS-015 Refresh Data asks for entries and counts again', async () => {
  const listed = answer(systemLogRoutes.list, { count: 1, more: false, results: [aLine()] });
  const counted = answer(systemLogRoutes.stats, countsOfSources);
  await open();
  await waitFor(async () => expect(await cardOf('Errors')).toHaveTextContent('1,201'));
  await list();
  const before = [listed.length, counted.length];
  await userEvent.click(screen.getByRole('button', { name: 'Refresh Data' }));
  await waitFor(() =>
    expect([listed.length, counted.length]).toEqual([before[0]! + 1, before[1]! + 1]),
  );
});

test('LDS-008, ENT-035 an entry says level, time, message, source, user and details, and what it lacks', async () => {
  const results = [
    aLine({
      level: 'warning',
      user: otherUserId,
      user_name: 'Nigar',
      repeats: 12,
      last_at: '2026-03-04T05:06:59.000Z',
      details: { err: { type: 'Error', stack: 'Error\n  at a.ts:1' }, camera: 'Lobby' },
    }),
    aLine({ message: '', source: '' }),
  ];
  answer(systemLogRoutes.list, { count: 2, more: false, results });
  await open();
  const [first, second] = within(await list()).getAllByRole('listitem');
  expect(first).toHaveTextContent('Warningcamera went away');
  expect(first).toHaveTextContent(/Mar 4, 2026.*· Video streams · Nigar · 12 times, last at/);
  expect(first!.querySelector('time')).toHaveAttribute('datetime', '2026-03-04T05:06:07.000Z');
  await userEvent.click(within(first!).getByText('Details'));
  expect(within(first!).getByText('err.stack').nextElementSibling).toHaveTextContent(
    'Error at a.ts:1',
  );
  expect(within(first!).getByText('camera').nextElementSibling).toHaveTextContent('Lobby');
  expect(second).toHaveTextContent('No message available');
  expect(second).toHaveTextContent('· Unknown · System');
  expect(within(second!).queryByText('Details')).toBeNull();
});

/** The panel of an administrator with the second page loaded, and what its list asks. */
async function openSecondPage(): Promise<Seen[]> {
  const listed = answer(systemLogRoutes.list, { count: 99, more: true, results: lines(20) });
  const user = aUser({ id: otherUserId, first_name: 'Nigar', last_name: '' });
  const row = {
    ...user,
    is_active: true,
    has_password: true,
    two_factor: false,
    last_login_at: null,
  };
  answer(userRoutes.list, { count: 1, results: [row] });
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Load More' }));
  await waitFor(() => expect(asksOf(listed)).toMatchObject({ page: '2', page_size: '20' }));
  await screen.findByRole('option', { name: 'Nigar' });
  return listed;
}

test.each([
  ['LDS-004', 'Level', 'Warning', 'level', 'warning'],
  ['LDS-005', 'Source', 'media', 'source', 'media'],
  ['~LDS-006', 'User', 'Nigar', 'user', otherUserId],
])(
  '%s, LDS-012 the filter %s narrows the entries, and begins with the first page',
  async (_, label, choice, name, value) => {
    const listed = await openSecondPage();
    expect(asksOf(listed)).not.toHaveProperty(name);
    await userEvent.selectOptions(screen.getByRole('combobox', { name: label }), choice);
    await waitFor(() => expect(asksOf(listed)).toMatchObject({ [name]: value, page: '1' }));
    expect(address()).toContain(`${name}=${value}`);
  },
);

test('LDS-004 the levels are all, error, warning, info and debug', async () => {
  await open();
  const levels = within(await screen.findByRole('combobox', { name: 'Level' }));
  expect(levels.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'All levels',
    'Error',
    'Warning',
    'Info',
    'Debug',
  ]);
});

test('LDS-002, LDS-012 the search narrows the entries, and begins with the first page', async () => {
  const listed = await openSecondPage();
  expect(asksOf(listed)).not.toHaveProperty('search');
  await userEvent.type(screen.getByRole('searchbox', { name: 'Keyword' }), 'gate');
  await waitFor(() => expect(asksOf(listed)).toMatchObject({ search: 'gate', page: '1' }));
  expect(address()).toContain('search=gate');
});

test('~APL-022 the list is asked with all filters, twenty a page', async () => {
  const listed = answer(systemLogRoutes.list, { count: 1, more: false, results: [aLine()] });
  await open(`&level=error&source=media&search=gate&user=${otherUserId}`);
  await list();
  expect(listed.at(-1)!.url.pathname).toBe('/secure-api/activity-log/system-logs/');
  expect(asksOf(listed)).toMatchObject({
    level: 'error',
    source: 'media',
    search: 'gate',
    user: otherUserId,
    page: '1',
    page_size: '20',
  });
});

test('LDS-003, CON-023 both lists come by 20, and the system log is searched 300 ms after the last letter', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const type = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    const listed = answer(systemLogRoutes.list, { count: 1, more: false, results: [aLine()] });
    await open();
    const box = await screen.findByRole('searchbox', { name: 'Keyword' });
    await waitFor(() => expect(asksOf(listed)).toMatchObject({ page: '1', page_size: '20' }));
    await type.type(box, 'ga');
    const before = listed.length;
    const untilAsked = async (): Promise<number> => {
      const from = Date.now();
      await vi.waitFor(() => expect(listed.length).toBe(before + 1), { interval: 5 });
      return Date.now() - from;
    };
    await type.type(box, 't');
    const rested = await untilAsked();
    expect(asksOf(listed)).toMatchObject({ search: 'gat', page: '1' });
    expect(rested).toBeGreaterThan(250);
    expect(rested).toBeLessThan(600);
    const entries = answer(activityRoutes.list, { count: 0, more: false, results: [] });
    await type.click(screen.getByRole('tab', { name: 'Log List' }));
    await waitFor(() => expect(entries).not.toHaveLength(0));
    expect(asksOf(entries)).toMatchObject({ page: '1', limit: '20' });
  } finally {
    vi.useRealTimers();
  }
});

test('LDS-006, LDS-007, LDS-019 a user who is no administrator has no filter by user, and sends none', async () => {
  const listed = answer(systemLogRoutes.list, { count: 0, more: false, results: [] });
  await open(`&user=${otherUserId}`, aUser({ role: 'user', is_staff: false, is_superuser: false }));
  expect(await screen.findByText('No data found for the selected filters.')).toBeVisible();
  expect(screen.queryByRole('combobox', { name: 'User' })).toBeNull();
  expect(asksOf(listed)).not.toHaveProperty('user');
});

test('LDS-009, LDS-010, LDS-011 Load More appends the next 20, and is there while the last page was full', async () => {
  const pages = [lines(20), lines(3, { source: 'vision' })];
  const listed = answer(systemLogRoutes.list, ({ url }) => ({
    count: 23,
    more: false,
    results: pages[Number(url.searchParams.get('page')) - 1]!,
  }));
  await open();
  expect(within(await list()).getAllByRole('listitem')).toHaveLength(20);
  expect(asksOf(listed)).toMatchObject({ page_size: '20' });
  await userEvent.click(screen.getByRole('button', { name: 'Load More' }));
  await waitFor(async () => expect(within(await list()).getAllByRole('listitem')).toHaveLength(23));
  expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull();
});

test('LDS-013, LDS-016, LDS-018 one entry or all are marked as deleted after a question, and the list reloads without them', async () => {
  const [other, line] = [aLine({ message: 'the disk is slow' }), aLine()];
  const removed = answer(systemLogRoutes.remove, undefined);
  answer(systemLogRoutes.list, { count: 2, more: false, results: [other, line] });
  await open();
  const [, row] = within(await list()).getAllByRole('listitem');
  await userEvent.click(within(row!).getByRole('button', { name: /^Mark as deleted/ }));
  const dialog = await screen.findByRole('alertdialog', {
    name: 'Are you sure you want to mark this log as deleted?',
  });
  expect(removed).toEqual([]);
  answer(systemLogRoutes.list, { count: 1, more: false, results: [other] });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Mark as deleted' }));
  expect(await screen.findByText('Log marked as deleted')).toBeVisible();
  expect(removed.map(({ params, url }) => [params, url.pathname])).toEqual([
    [{ id: line.id }, `/secure-api/activity-log/system-logs/${line.id}/`],
  ]);
  await waitFor(async () => expect(within(await list()).getAllByRole('listitem')).toHaveLength(1));
  expect(await list()).toHaveTextContent('the disk is slow');
  const as_of = '2026-03-04T06:00:00.000Z';
  answer(systemLogRoutes.removeMany, ({ body }) =>
    (body as { count_only: boolean }).count_only
      ? { deleted: 0, left: 1, as_of }
      : { deleted: 1, left: 0, as_of },
  );
  await userEvent.click(screen.getByRole('button', { name: 'Mark All as Deleted' }));
  const question = await screen.findByRole('alertdialog', {
    name: 'Are you sure you want to mark all filtered logs as deleted?',
  });
  expect(await within(question).findByText('1 entry will be marked as deleted.')).toBeVisible();
  answer(systemLogRoutes.list, { count: 0, more: false, results: [] });
  await userEvent.click(within(question).getByRole('button', { name: 'Mark as deleted' }));
  expect(await screen.findByText('No data found for the selected filters.')).toBeVisible();
});

test('LDS-014, ~APL-025 all that the filters find are marked, in batches, after their number was shown', async () => {
  const bodies: unknown[] = [];
  answer(systemLogRoutes.removeMany, ({ body }) => {
    bodies.push(body);
    const as_of = '2026-03-04T06:00:00.000Z';
    if ((body as { count_only: boolean }).count_only) return { deleted: 0, left: 1500, as_of };
    return bodies.length === 2
      ? { deleted: 1000, left: 500, as_of }
      : { deleted: 500, left: 0, as_of };
  });
  await open('&level=error&search=gate');
  await list();
  await userEvent.click(screen.getByRole('button', { name: 'Mark All as Deleted' }));
  const dialog = await screen.findByRole('alertdialog', {
    name: 'Are you sure you want to mark all filtered logs as deleted?',
  });
  expect(await within(dialog).findByText('1,500 entries will be marked as deleted.')).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Mark as deleted' }));
  expect(await screen.findByText('1,500 entries marked as deleted')).toBeVisible();
  expect(bodies).toHaveLength(3);
  expect(bodies[2]).toMatchObject({
    filter: { level: 'error', search: 'gate' },
    as_of: '2026-03-04T06:00:00.000Z',
  });
});

test('LDS-017 with nothing listed there is nothing to mark', async () => {
  answer(systemLogRoutes.list, { count: 0, more: false, results: [] });
  await open();
  await screen.findByText('No data found for the selected filters.');
  await userEvent.click(screen.getByRole('button', { name: 'Mark All as Deleted' }));
  expect(await screen.findByText('No logs to mark as deleted.')).toBeVisible();
});

test.each([
  ['ERR-027', 403, 'forbidden', 'You do not have permission to view these system logs.'],
  ['ERR-028', 400, 'Dates are wrong.', 'Invalid request: Dates are wrong.'],
  ['ERR-028', 400, '', 'Invalid request: Check your filters.'],
  ['ERR-029', 500, 'It broke.', 'Failed to load system logs. Please try again later.'],
])('%s the list says what %i (%s) means', async (_row, status, detail, text) => {
  answer(systemLogRoutes.list, refusal(status, 'internal', detail));
  await open();
  expect(await screen.findByText(text)).toBeVisible();
  answer(systemLogRoutes.list, { count: 1, more: false, results: [aLine()] });
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await list()).toBeVisible();
});

test.each([
  ['ERR-030', 403, 'Permission denied: You cannot delete this log.'],
  ['ERR-031', 404, 'Log not found.'],
  ['ERR-032', 500, 'Failed to mark log as deleted. Please try again.'],
])('%s deleting one says what %i means', async (_row, status, text) => {
  answer(systemLogRoutes.remove, refusal(status, 'internal', 'It broke.'));
  await open();
  const row = within(await list()).getByRole('listitem');
  await userEvent.click(within(row).getByRole('button', { name: /^Mark as deleted/ }));
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Mark as deleted' }));
  expect(await within(dialog).findByText(text)).toBeVisible();
});

test.each([
  ['ERR-033', 403, 'Permission denied: You cannot delete these logs.'],
  ['ERR-034', 400, 'Invalid request: It broke.'],
  ['ERR-035', 500, 'Failed to mark all logs as deleted. Please try again.'],
])('%s deleting all says what %i means', async (_row, status, text) => {
  answer(systemLogRoutes.removeMany, refusal(status, 'internal', 'It broke.'));
  await open();
  await list();
  await userEvent.click(screen.getByRole('button', { name: 'Mark All as Deleted' }));
  expect(await within(await screen.findByRole('alertdialog')).findByText(text)).toBeVisible();
});

test('figures that could not be refreshed stay, with their time', async () => {
  await open();
  await list();
  answer(systemLogRoutes.list, refusal(500, 'internal', ''));
  await userEvent.click(screen.getByRole('button', { name: 'Refresh Data' }));
  expect(
    await screen.findByText('Failed to load system logs. Please try again later.'),
  ).toBeVisible();
  expect(await list()).toBeVisible();
});

test('an entry has its link, and shows what was said around it', async () => {
  const line = aLine({ id: otherUserId, details: { camera: 'Lobby' } });
  answer(systemLogRoutes.read, ({ params }) =>
    params['id'] === otherUserId ? line : refusal(404, 'system_log_not_found', ''),
  );
  answer(systemLogRoutes.neighbours, {
    before: [aLine({ message: 'the disk is slow' })],
    after: [],
  });
  await open(`&entry=${otherUserId}`);
  const dialog = await screen.findByRole('dialog');
  const before = await within(dialog).findByRole('region', { name: 'Just before' });
  expect(before).toHaveTextContent('the disk is slow');
  expect(within(dialog).getByRole('region', { name: 'Just after' })).toHaveTextContent(
    'Nothing was said.',
  );
  expect(within(dialog).getByText('Lobby')).toBeVisible();
  const link = within(dialog).getByLabelText<HTMLInputElement>('Link to this entry');
  expect(link.value).toContain(`panel=system&entry=${otherUserId}`);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(address()).not.toContain('entry='));
});

test('followed, the list is asked for again each 3 s, until it is paused or older entries are loaded', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const listed = answer(systemLogRoutes.list, { count: 99, more: false, results: lines(20) });
    await open();
    await list();
    await userEvent.click(screen.getByRole('button', { name: 'Follow live' }));
    const before = listed.length;
    await vi.advanceTimersByTimeAsync(6_500);
    await waitFor(() => expect(listed.length).toBeGreaterThanOrEqual(before + 2));
    await userEvent.click(screen.getByRole('button', { name: 'Load More' }));
    expect(await screen.findByRole('button', { name: 'Follow live' })).toBeVisible();
  } finally {
    vi.useRealTimers();
  }
});

test('lines that came while pages were loaded stand once; sums are of one source where one is chosen', () => {
  const [first, second] = lines(2);
  expect(linesOf([{ results: [first!, second!] }, { results: [second!] }])).toEqual([
    first,
    second,
  ]);
  const counts = [
    { source: 'media', error: 2, warning: 0, info: 0, debug: 5 },
    { source: 'browser', error: 1, warning: 0, info: 0, debug: 0 },
  ];
  expect(sumsOf(counts, undefined)).toEqual({ error: 3, warning: 0, info: 0, debug: 5 });
  expect(sumsOf(counts, 'media').error).toBe(2);
  expect(fieldsOf({ a: { b: [1] }, c: null })).toEqual([
    ['a.b', '[\n  1\n]'],
    ['c', 'null'],
  ]);
});
