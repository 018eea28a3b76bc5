import { notificationRoutes, type Notification } from '@nazar/contract/notifications.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { aNotification, anExportDone, keepNotifications } from '#testing/notifications.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

afterEach(() => vi.useRealTimers());

const user = aUser({ role: 'user', is_staff: false, is_superuser: false });
const bell = (count: number): Promise<HTMLElement> =>
  screen.findByRole('button', { name: `Notifications: ${count} unread` });
const panel = (): Promise<HTMLElement> => screen.findByRole('dialog', { name: 'Notifications' });
const titles = (inside: HTMLElement): (string | null)[] =>
  within(inside)
    .getAllByRole('listitem')
    .map((item) => within(item).getByRole('link').textContent);

const open = async (): Promise<void> => {
  await renderApp({ path: '/profile', user });
};

test.each([
  [0, ''],
  [1, '1'],
  [9, '9'],
  [10, '9+'],
  [120, '9+'],
])(
  'NAV-034, NAV-035, CON-007 with %d unread the badge of the bell says "%s"',
  async (count, badge) => {
    answer(notificationRoutes.unreadCount, { unread_count: count });
    await open();
    expect(await bell(count)).toHaveTextContent(badge === '' ? /^$/ : badge);
  },
);

test('NAV-036, ~CON-001 the number is asked for again after 30 s', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const asked = answer(notificationRoutes.unreadCount, { unread_count: 2 });
  await open();
  await bell(2);
  expect(asked).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(29_000));
  expect(asked).toHaveLength(1);
  answer(notificationRoutes.unreadCount, { unread_count: 3 });
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(await bell(3)).toBeVisible();
});

test('the news set the number at once, and lists of notifications are asked for again', async () => {
  const all = [aNotification()];
  const asked = keepNotifications(all);
  await open();
  await userEvent.click(await bell(1));
  await within(await panel()).findByRole('listitem');
  const news = FakeSocket.opened.find(({ url }) => url.includes('/news/'))!;
  all.unshift(anExportDone());
  const [counted, listed] = [asked.count.length, asked.list.length];
  act(() => news.receive({ kind: 'notifications', unread_count: 2 }));
  expect(await bell(2)).toBeVisible();
  await waitFor(async () =>
    expect(titles(await panel())).toEqual(['Export of Lobby is ready', 'Unknown person at Lobby']),
  );
  expect(asked.list.length).toBe(listed + 1);
  expect(asked.count.length).toBe(counted);
});

test('NAV-037, NAV-038, NAV-042 the bell opens a panel of 320 px with a list that scrolls, and a link to all', async () => {
  const asked = keepNotifications([aNotification(), anExportDone({ is_read: true })]);
  await open();
  await bell(1);
  expect(asked.list).toHaveLength(0);
  await userEvent.click(await bell(1));
  const shown = await panel();
  expect(shown).toHaveClass('w-80');
  await waitFor(() =>
    expect(titles(shown)).toEqual(['Unknown person at Lobby', 'Export of Lobby is ready']),
  );
  const list = within(shown).getByRole('list').parentElement!;
  expect(list).toHaveClass('max-h-[350px]', 'overflow-y-auto');
  expect(within(shown).getByRole('link', { name: 'All notifications' })).toHaveAttribute(
    'href',
    '/notifications',
  );
  expect(await bell(1)).toHaveAttribute('aria-expanded', 'true');
  await userEvent.click(await bell(1));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await bell(1)).toHaveAttribute('aria-expanded', 'false');
});

test('each leads to its alert, visit or export, and is read then', async () => {
  const [alert, visit, made] = [
    aNotification({ title: 'One' }),
    aNotification({
      title: 'Two',
      kind: 'known_person',
      level: null,
      alert: null,
      visit: '11111111-1111-4111-8111-111111111111',
    }),
    anExportDone({ title: 'Three' }),
  ];
  const account = anExportDone({ title: 'Four', kind: 'account', export: null });
  const asked = keepNotifications([alert, visit, made, account]);
  await open();
  await userEvent.click(await bell(4));
  const shown = await panel();
  await within(shown).findAllByRole('listitem');
  const way = (name: string) =>
    decodeURIComponent(within(shown).getByRole('link', { name }).getAttribute('href')!);
  expect(way('One')).toBe(`/alerts?alert=${alert.alert}`);
  expect(way('Two')).toBe(`/activity-log?tab=analytics&panel=timeline&visit=${visit.visit}`);
  expect(way('Three')).toBe(`/recordings?export=${made.export}`);
  expect(way('Four')).toBe('/security');
  await userEvent.click(within(shown).getByRole('link', { name: 'Four' }));
  await waitFor(() => expect(asked.read.map(({ params }) => params['id'])).toEqual([account.id]));
  expect(location.pathname).toBe('/security');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('NAV-040 one is marked as read by its own button, and keeps the focus; the others stay unread', async () => {
  const all = [aNotification({ title: 'One' }), aNotification({ title: 'Two' })];
  const asked = keepNotifications(all);
  const [, second] = all as [Notification, Notification];
  await open();
  await userEvent.click(await bell(2));
  const button = { name: 'Mark as read: Two' };
  await userEvent.click(await within(await panel()).findByRole('button', button));
  expect(await bell(1)).toBeVisible();
  expect(asked.read.map(({ params }) => params['id'])).toEqual([second.id]);
  await waitFor(async () => expect(within(await panel()).queryByRole('button', button)).toBeNull());
  expect(within(await panel()).getByRole('button', { name: 'Mark as read: One' })).toBeVisible();
  expect(within(await panel()).getAllByRole('listitem')[1]).toHaveFocus();
});

test('NAV-039, NAV-043, CON-008 all are marked at once; two seconds later the panel is gone and the bell has the focus', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const person = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) });
  const asked = keepNotifications([aNotification(), anExportDone()]);
  await open();
  await person.click(await bell(2));
  await person.click(within(await panel()).getByRole('button', { name: 'Mark all as read' }));
  await bell(0);
  expect(asked.markAsRead.map(({ body }) => body)).toEqual([{ all: true }]);
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(await panel()).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1000));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await bell(0)).toHaveFocus();
});

test('NAV-041 an empty panel says so and stays open', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const person = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) });
  await open();
  await person.click(await bell(0));
  expect(await within(await panel()).findByText('No notifications')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(await panel()).toBeVisible();
  await person.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await bell(0)).toHaveFocus();
});

test('a list that could not be loaded, and what was refused, are said in the panel', async () => {
  keepNotifications([aNotification()]);
  answer(notificationRoutes.list, refusal(500, 'internal', 'It broke.'));
  await open();
  await userEvent.click(await bell(1));
  const shown = await panel();
  expect(await within(shown).findByText("The notifications couldn't be loaded")).toBeVisible();
  answer(notificationRoutes.list, { count: 1, results: [aNotification()] });
  await userEvent.click(within(shown).getByRole('button', { name: 'Retry' }));
  answer(notificationRoutes.read, refusal(500, 'internal', 'It broke.'));
  await userEvent.click(await within(shown).findByRole('button', { name: /^Mark as read/ }));
  expect(
    await within(shown).findByText("“Unknown person at Lobby” wasn't marked as read. It broke."),
  ).toBeVisible();
});

test('a bell that is refused asks no more by itself', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const asked = answer(notificationRoutes.unreadCount, refusal(403, 'forbidden', 'Not yours.'));
  await open();
  await bell(0);
  await waitFor(() => expect(asked).toHaveLength(1));
  await act(() => vi.advanceTimersByTimeAsync(65_000));
  expect(asked).toHaveLength(1);
});
