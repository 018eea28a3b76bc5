import { notificationRoutes, type Notification } from '@nazar/contract/notifications.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { aNotification, anExportDone, keepNotifications } from '#testing/notifications.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal, type Seen } from '#testing/server.ts';

const user = aUser({ role: 'user', is_staff: false, is_superuser: false });
const lastQuery = (asked: readonly Seen[]) => Object.fromEntries(asked.at(-1)!.url.searchParams);
const list = (): Promise<HTMLElement> => screen.findByRole('list', { name: 'Notifications' });
const titles = async (): Promise<(string | null)[]> =>
  within(await list())
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
const news = (unread: number): void =>
  act(() =>
    FakeSocket.opened
      .find(({ url }) => url.includes('/news/'))!
      .receive({ kind: 'notifications', unread_count: unread }),
  );

async function open(more = '') {
  await renderApp({ path: `/notifications${more}`, user });
  await screen.findByRole('heading', { level: 1, name: 'Notifications' });
}

/** Two of everything: alerts and others, read and unread. */
const four = (): Notification[] => [
  aNotification({ title: 'Alert, unread', level: 'critical' }),
  aNotification({ title: 'Alert, read', is_read: true }),
  anExportDone({ title: 'System, unread' }),
  anExportDone({ title: 'System, read', is_read: true }),
];

test('NAV-015, NOTE-006, ENT-038 each stands with its title, message, time and state', async () => {
  keepNotifications(four());
  await open();
  expect(await titles()).toEqual([
    'Alert, unread',
    'Alert, read',
    'System, unread',
    'System, read',
  ]);
  const [first, second, third] = within(await list()).getAllByRole('listitem');
  expect(first).toHaveTextContent('Unread: Alert, unread');
  expect(first).toHaveTextContent('An unknown person was seen at Lobby.');
  expect(within(first!).getByText('Critical')).toBeInTheDocument();
  expect(within(first!).getByText(/ago/)).toBeVisible();
  expect(second).not.toHaveTextContent('Unread:');
  expect(third).toHaveTextContent('You can download it for a day.');
});

test('NOTE-001, CFL-013 the filters are asked of the server, and stand in the address', async () => {
  const asked = keepNotifications(four());
  await open();
  expect(await titles()).toHaveLength(4);
  for (const [word, query, found] of [
    ['Unread', { is_read: 'false' }, ['Alert, unread', 'System, unread']],
    ['Alerts', { type: 'alert' }, ['Alert, unread', 'Alert, read']],
    ['System', { type: 'system' }, ['System, unread', 'System, read']],
  ] as const) {
    await userEvent.click(screen.getByRole('radio', { name: word }));
    await waitFor(async () => expect(await titles()).toEqual(found));
    expect(lastQuery(asked.list)).toEqual({ ...query, page: '1', page_size: '25' });
    expect(location.search).toBe(`?filter=${word.toLowerCase()}`);
  }
  await userEvent.click(screen.getByRole('radio', { name: 'All' }));
  await waitFor(async () => expect(await titles()).toHaveLength(4));
  expect(location.search).toBe('');
});

test('the pages are the server’s, and stand in the address', async () => {
  const many = Array.from({ length: 30 }, (_, index) => aNotification({ title: `N${index}` }));
  keepNotifications(many);
  await open('?page=2');
  await waitFor(async () => expect(await titles()).toEqual(['N25', 'N26', 'N27', 'N28', 'N29']));
  await userEvent.click(screen.getByRole('button', { name: 'Page 1' }));
  await waitFor(async () => expect(await titles()).toHaveLength(25));
  expect(location.search).toBe('');
});

test('NOTE-002, NOTE-004, NOTE-007 one is marked as read, at the server, and stays read', async () => {
  const asked = keepNotifications(four());
  await open();
  const mark = await screen.findByRole('button', { name: 'Mark as read: System, unread' });
  await userEvent.click(mark);
  await waitFor(() => expect(mark).not.toBeInTheDocument());
  expect(asked.read).toHaveLength(1);
  expect(asked.markAsRead).toHaveLength(0);
  expect(screen.getAllByRole('button', { name: /^Mark as read: / })).toHaveLength(1);
  expect(screen.queryByRole('button', { name: /unread:/i })).toBeNull();
  expect(within(await list()).getAllByRole('listitem')[2]).toHaveFocus();
});

test('NOTE-003, CFL-012 all are marked as read by one call', async () => {
  const asked = keepNotifications(four());
  await open();
  await titles();
  await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Mark as read: / })).toBeNull());
  expect(asked.markAsRead.map(({ body }) => body)).toEqual([{ all: true }]);
  expect(asked.read).toHaveLength(0);
  await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
  expect(asked.markAsRead).toHaveLength(1);
});

test('NOTE-005 one is deleted before the server answers, and the focus goes to the next', async () => {
  keepNotifications(four());
  await open();
  await titles();
  const { promise, resolve } = Promise.withResolvers<void>();
  const sent = answer(notificationRoutes.remove, async () => {
    await promise;
    return undefined as never;
  });
  await userEvent.click(screen.getByRole('button', { name: 'Delete: Alert, read' }));
  expect(await titles()).toEqual(['Alert, unread', 'System, unread', 'System, read']);
  expect(within(await list()).getAllByRole('listitem')[1]).toHaveFocus();
  resolve();
  await waitFor(() => expect(sent).toHaveLength(1));
});

test('~NOTE-005 what could not be deleted is back, with the reason', async () => {
  keepNotifications(four());
  answer(notificationRoutes.remove, refusal(500, 'internal', 'It broke.'));
  await open();
  await titles();
  await userEvent.click(screen.getByRole('button', { name: 'Delete: Alert, read' }));
  expect(await screen.findByText("“Alert, read” wasn't deleted. It broke.")).toBeVisible();
  expect(await titles()).toHaveLength(4);
  answer(notificationRoutes.remove, refusal(404, 'notification_not_found', 'It is gone.'));
  await userEvent.click(screen.getByRole('button', { name: 'Delete: System, read' }));
  await waitFor(async () => expect(await titles()).toHaveLength(3));
  expect(screen.queryByText(/It is gone/)).toBeNull();
});

test('what arrives moves nothing that is read, is announced, and shown when asked for', async () => {
  const all = four();
  keepNotifications(all);
  await open();
  await titles();
  all.unshift(aNotification({ title: 'New one' }), aNotification({ title: 'New two' }));
  news(4);
  const show = await screen.findByRole('button', { name: '2 new notifications: show' });
  expect(show.closest('output')).not.toBeNull();
  expect((await titles())[0]).toBe('Alert, unread');
  await userEvent.click(show);
  expect((await titles()).slice(0, 3)).toEqual(['New one', 'New two', 'Alert, unread']);
});

test('an empty list says that there are none, a filtered one how to see the others', async () => {
  keepNotifications([aNotification({ is_read: true })]);
  await open('?filter=unread');
  expect(await screen.findByText('No unread notifications')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await titles()).toEqual(['Unknown person at Lobby']);
  await userEvent.click(screen.getByRole('button', { name: /^Delete: / }));
  expect(await screen.findByText('No notifications')).toBeVisible();
});

test('a list that could not be loaded says so; one that was loaded stays, with its age', async () => {
  answer(notificationRoutes.list, refusal(500, 'internal', 'It broke.'));
  await open();
  expect(await screen.findByText("The notifications couldn't be loaded")).toBeVisible();
  keepNotifications(four());
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await titles()).toHaveLength(4);
  answer(notificationRoutes.list, refusal(500, 'internal', 'It broke.'));
  news(3);
  expect(await screen.findByText(/^Showing cached data from /)).toBeVisible();
  expect(await titles()).toHaveLength(4);
});

test('~NAV-048 the menu of the account leads to the profile, notifications, security and settings', async () => {
  await renderApp({ path: '/profile', user });
  await userEvent.click(await screen.findByRole('button', { name: 'Account menu' }));
  const menu = await screen.findByRole('menu');
  const ways = within(menu)
    .getAllByRole('menuitem')
    .map((item) => item.getAttribute('href'));
  expect(ways.filter((way) => way !== null)).toEqual([
    '/profile',
    '/notifications',
    '/security',
    '/settings/notifications',
  ]);
});
