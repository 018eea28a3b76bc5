import { alertRoutes } from '@nazar/contract/alerts.ts';
import { houseModeRoutes } from '@nazar/contract/house-mode.ts';
import { accountRoutes } from '@nazar/contract/accounts.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { alertChanges, alertRefusals } from '#api/offline-alerts.ts';
import {
  alertDetails,
  alertPage,
  anAlert,
  lobby,
  openAlerts,
  plainUser,
  someCounts,
} from '#testing/alerts.ts';
import { anId, aUser } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { answer, refusal, server, type Seen } from '#testing/server.ts';

const address = () => decodeURIComponent(location.search);
const lastQuery = (asked: readonly Seen[]) => Object.fromEntries(asked.at(-1)!.url.searchParams);
const me = aUser();

beforeEach(() => {
  alertChanges.set(new Map());
  alertRefusals.set([]);
});
afterEach(() => vi.restoreAllMocks());

const list = () => screen.findByRole('list', { name: 'Alerts' });
const card = async (title: string | RegExp): Promise<HTMLElement> => {
  const heading = await screen.findByRole('button', { name: title });
  return heading.closest('li')!;
};
const deedsIn = (element: HTMLElement): string[] =>
  within(element)
    .queryAllByRole('button')
    .map(({ textContent }) => textContent)
    .slice(1);

test('ALR-001, NAV-013 the alerts stand in a list, each with level, status, place, time and who has it', async () => {
  const alert = anAlert({
    status: 'in_progress',
    level: 'critical',
    face_name: 'Leyla Orucova',
    assigned_to: me.id,
    assigned_to_name: 'Aysel Quliyeva',
  });
  await openAlerts({ alerts: () => alertPage([alert]) });
  expect(await screen.findByRole('heading', { name: 'Alerts', level: 1 })).toBeVisible();
  const row = await card('Unknown person at Lobby');
  for (const text of ['Critical', 'In progress', 'An unknown person was seen at Lobby.']) {
    expect(within(row).getByText(text)).toBeVisible();
  }
  expect(row).toHaveTextContent('Lobby · Leyla Orucova · 3 times · Assigned to Aysel Quliyeva');
  expect(within(row).getByText(/ago/)).toBeVisible();
});

test('on a wide screen they are a table with the same facts', async () => {
  const usual = globalThis.matchMedia;
  vi.spyOn(globalThis, 'matchMedia').mockImplementation((query) =>
    Object.assign(usual(query), { matches: query.startsWith('(min-width') }),
  );
  await openAlerts();
  const table = await screen.findByRole('table', { name: 'Alerts' });
  for (const text of ['Warning', /^New/, /^Lobby/, '3']) {
    expect(within(table).getByRole('cell', { name: text })).toBeVisible();
  }
  expect(
    within(table).getByRole('button', { name: 'Resolve: Unknown person at Lobby' }),
  ).toBeVisible();
});

test('ALR-002, ALR-003 filters by status and level are asked of the server, and stand in the address', async () => {
  const asked = await openAlerts({ more: '?page=2' });
  await list();
  expect(lastQuery(asked)).toEqual({ ordering: '-created_at', page: '2', page_size: '25' });
  const status = screen.getByRole('combobox', { name: 'Status' });
  for (const [word, value] of [
    ['New', 'new'],
    ['In progress', 'in_progress'],
    ['Resolved', 'resolved'],
    ['Dismissed', 'dismissed'],
  ] as const) {
    await userEvent.selectOptions(status, word);
    await waitFor(() => expect(lastQuery(asked)).toMatchObject({ status: value, page: '1' }));
  }
  await userEvent.selectOptions(status, 'All statuses');
  const level = screen.getByRole('combobox', { name: 'Level' });
  for (const [word, value] of [
    ['Info', 'info'],
    ['Warning', 'warning'],
    ['Error', 'error'],
    ['Critical', 'critical'],
  ] as const) {
    await userEvent.selectOptions(level, word);
    await waitFor(() => expect(lastQuery(asked)).toMatchObject({ level: value }));
    expect(lastQuery(asked)).not.toHaveProperty('status');
  }
  expect(address()).toBe('?level=critical');
});

test('camera, open, mine, period and order are asked of the server, too', async () => {
  const asked = await openAlerts();
  await list();
  await userEvent.click(screen.getByRole('button', { name: 'More filters' }));
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Camera' }), 'Lobby');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Only open alerts' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Assigned to me' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'From' }), '03/04/2026');
  await userEvent.selectOptions(
    screen.getByRole('combobox', { name: 'Sort by' }),
    'Most important first',
  );
  await waitFor(() =>
    expect(lastQuery(asked)).toEqual({
      camera__in: lobby.id,
      open: 'true',
      mine: 'true',
      start_date: new Date(2026, 2, 4).toISOString(),
      ordering: '-level',
      page: '1',
      page_size: '25',
    }),
  );
});

test('the figures lead to the lists that hold as many', async () => {
  await openAlerts();
  answer(
    alertRoutes.counts,
    someCounts({
      new: 4,
      in_progress: 2,
      by_level: { info: 0, warning: 5, error: 0, critical: 1 },
    }),
  );
  act(() => FakeSocket.opened[0]?.receive({ kind: 'changed', what: 'alerts' }));
  const figure = (label: string) => screen.getByRole('link', { name: `Show: ${label}` });
  await waitFor(() => expect(figure('New').closest('.card')).toHaveTextContent('New4'));
  expect(figure('In progress').closest('.card')).toHaveTextContent('In progress2');
  expect(figure('Critical and open').closest('.card')).toHaveTextContent('Critical and open1');
  expect(figure('New')).toHaveAttribute('href', '/alerts?status=new');
  expect(figure('In progress')).toHaveAttribute('href', '/alerts?status=in_progress');
  expect(figure('Critical and open')).toHaveAttribute('href', '/alerts?level=critical&open=true');
});

test('an empty list says which filters hold, and without any that there are none', async () => {
  await openAlerts({ alerts: () => alertPage([]), more: '?status=new&level=critical' });
  expect(await screen.findByText('No alerts with: New, Critical')).toBeVisible();
  const [clear] = screen.getAllByRole('button', { name: 'Clear filters' });
  await userEvent.click(clear!);
  expect(await screen.findByText('No alerts')).toBeVisible();
});

test('a list that could not be loaded says so, and is asked again', async () => {
  let isBroken = true;
  await openAlerts({
    alerts: () => (isBroken ? refusal(403, 'forbidden', 'Not yours.') : alertPage([anAlert()])),
    more: '?status=new',
  });
  expect(await screen.findByText("You don't have access")).toBeVisible();
  isBroken = false;
  await userEvent.click(screen.getByRole('link', { name: 'Show: New' }));
  act(() => FakeSocket.opened[0]?.receive({ kind: 'changed', what: 'alerts' }));
  expect(await list()).toBeVisible();
});

test('ALR-011 users who are no administrators ask for the alerts of their cameras', async () => {
  const gate = aCamera({ id: anId(), name: 'Gate' });
  const asked = await openAlerts({ user: plainUser(), cameras: [lobby, gate] });
  await list();
  expect(asked.map(({ url }) => url.searchParams.get('camera__in'))).toEqual([
    `${lobby.id},${gate.id}`,
  ]);
  expect(screen.queryByRole('tab', { name: 'Rules' })).toBeNull();
  // An alert about no camera may be assigned to them, too.
  await userEvent.click(screen.getByRole('button', { name: 'More filters' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Assigned to me' }));
  await waitFor(() => expect(lastQuery(asked)).toMatchObject({ mine: 'true' }));
  expect(lastQuery(asked)).not.toHaveProperty('camera__in');
});

test('ALR-004, ALR-007, ALR-008 what is offered depends on the status alone', async () => {
  await openAlerts({
    user: plainUser(),
    alerts: () =>
      alertPage([
        anAlert({ title: 'One' }),
        anAlert({ title: 'Two', status: 'in_progress' }),
        anAlert({ title: 'Three', status: 'resolved' }),
        anAlert({ title: 'Four', status: 'dismissed' }),
      ]),
  });
  expect(deedsIn(await card('One'))).toEqual(['Assign to me', 'Resolve', 'Dismiss']);
  expect(deedsIn(await card('Two'))).toEqual(['Mark as resolved']);
  expect(deedsIn(await card('Three'))).toEqual([]);
  expect(deedsIn(await card('Four'))).toEqual([]);
});

test('ALR-005 who takes an alert has it, and it is in progress', async () => {
  const alert = anAlert();
  let now = alert;
  await openAlerts({ alerts: () => alertPage([now]) });
  const sent = answer(alertRoutes.updateStatus, () => {
    now = {
      ...alert,
      status: 'in_progress',
      assigned_to: me.id,
      assigned_to_name: 'Aysel Quliyeva',
    };
    return now;
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Assign to me/ }));
  const row = await card(alert.title);
  await waitFor(() => expect(row).toHaveTextContent('In progress'));
  expect(row).toHaveTextContent('Assigned to Aysel Quliyeva');
  expect(sent.map(({ body, params }) => [params['id'], body])).toEqual([
    [alert.id, { status: 'in_progress' }],
  ]);
});

test('ALR-006 a new alert is resolved, with notes if one likes, or dismissed', async () => {
  const [one, two] = [anAlert({ title: 'One' }), anAlert({ title: 'Two' })];
  await openAlerts({ alerts: () => alertPage([one, two]) });
  const sent = answer(alertRoutes.updateStatus, ({ params, body }) => ({
    ...(params['id'] === one.id ? one : two),
    ...(body as { status: 'resolved' | 'dismissed' }),
  }));
  await userEvent.click(await screen.findByRole('button', { name: 'Resolve: One' }));
  const dialog = await screen.findByRole('dialog', { name: 'Resolve alert' });
  await userEvent.type(within(dialog).getByLabelText('Notes'), 'It was the courier.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Resolve' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Dismiss: Two' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent.map(({ body }) => body)).toEqual([
    { status: 'resolved', resolution_notes: 'It was the courier.' },
    { status: 'dismissed' },
  ]);
});

test('ALR-009 a change that the server could not be sent is shown at once, marked, and sent once when it is back', async () => {
  const alert = anAlert();
  let now = alert;
  await openAlerts({ alerts: () => alertPage([now]) });
  answer(alertRoutes.updateStatus, HttpResponse.error());
  await userEvent.click(await screen.findByRole('button', { name: /^Dismiss/ }));
  const row = await card(alert.title);
  expect(await within(row).findByText('Not yet saved')).toBeVisible();
  expect(within(row).getByText('Dismissed')).toBeVisible();
  expect(deedsIn(row)).toEqual([]);
  expect(localStorage.getItem('alert-changes')).toContain(alert.id);
  const sent = answer(alertRoutes.updateStatus, () => {
    now = { ...alert, status: 'dismissed' };
    return now;
  });
  // The next answer of the server says that it is there.
  act(() => FakeSocket.opened[0]?.receive({ kind: 'changed', what: 'alerts' }));
  await waitFor(() => expect(within(row).queryByText('Not yet saved')).toBeNull());
  expect(within(row).getByText('Dismissed')).toBeVisible();
  expect(sent).toHaveLength(1);
  expect(localStorage.getItem('alert-changes')).toBeNull();
});

test('ALR-009 what is refused becomes as the server has it, and the page says who was first', async () => {
  const alert = anAlert();
  const other = { ...alert, status: 'resolved' as const, resolved_by_name: 'Rena Example' };
  let now = alert;
  await openAlerts({ alerts: () => alertPage([now]) });
  answer(alertRoutes.read, alertDetails(other));
  answer(alertRoutes.counts, someCounts());
  answer(houseModeRoutes.read, { mode: 'home', since: null });
  answer(alertRoutes.updateStatus, () => {
    now = other;
    return refusal(409, 'alert_status_changed', 'This alert has already changed.');
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Dismiss/ }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    "“Unknown person at Lobby” wasn't changed. Rena Example resolved the alert.",
  );
  expect(within(await card(alert.title)).getByText('Resolved')).toBeVisible();
});

test('=ALR-010, C-1010 the last list is shown with its age when a later load fails; it holds no picture and no name', async () => {
  const { id } = me;
  const image = `/secure-api/alerts/${anId()}/image/`;
  server.use(http.get(image, () => HttpResponse.error()));
  const at = Date.now() - 60_000;
  const alert = anAlert({
    title: 'Leyla Orucova at Lobby',
    face_name: 'Leyla Orucova',
    image,
    assigned_to: anId(),
    assigned_to_name: 'Rena Example',
    resolution_notes: 'Seen by Rena Example.',
  });
  await openAlerts({ alerts: () => alertPage([alert]) });
  await list();
  const kept = await waitFor(() => {
    const text = localStorage.getItem('alerts');
    expect(text).toContain(alert.id);
    return text!;
  });
  expect(kept).not.toMatch(/Leyla|Rena|\/image\//);
  expect(JSON.parse(kept)).toMatchObject({ user_id: id });
  cleanup();
  localStorage.setItem('alerts', JSON.stringify({ ...(JSON.parse(kept) as object), at }));
  await openAlerts({ alerts: () => HttpResponse.error() });
  expect(
    await screen.findByText(/^Showing cached data from /, {}, { timeout: 8000 }),
  ).toBeVisible();
  expect(await screen.findByRole('button', { name: '… at Lobby' })).toBeVisible();
  // It stays while that is tried again.
  const banner = screen
    .getByText(/^Showing cached data from /)
    .closest<HTMLElement>('[role=alert]')!;
  await userEvent.click(within(banner).getByRole('button', { name: 'Retry' }));
  expect(screen.getByRole('button', { name: '… at Lobby' })).toBeVisible();
}, 15_000);

test('signing out takes the copy and what waits with it', async () => {
  await openAlerts();
  await waitFor(() => expect(localStorage.getItem('alerts')).not.toBeNull());
  answer(alertRoutes.updateStatus, HttpResponse.error());
  await userEvent.click(await screen.findByRole('button', { name: /^Dismiss/ }));
  await waitFor(() => expect(localStorage.getItem('alert-changes')).not.toBeNull());
  answer(accountRoutes.logout, undefined);
  const [out] = screen.getAllByRole('button', { name: 'Logout' });
  await userEvent.click(out!);
  await waitFor(() => expect(localStorage.getItem('alerts')).toBeNull());
  expect(localStorage.getItem('alert-changes')).toBeNull();
});

test('arrivals wait until the reader asks for them, and what is read is not moved', async () => {
  const old = anAlert({ title: 'Old' });
  let results = [old];
  await openAlerts({ alerts: () => alertPage(results) });
  await card('Old');
  results = [anAlert({ title: 'Newer' }), { ...old, count: 9 }];
  act(() => FakeSocket.opened[0]?.receive({ kind: 'changed', what: 'alerts' }));
  const show = await screen.findByRole('button', { name: '1 new alert: show' });
  expect(screen.queryByRole('button', { name: 'Newer' })).toBeNull();
  expect(await card('Old')).toHaveTextContent('9 times');
  await userEvent.click(show);
  expect(await card('Newer')).toBeVisible();
  expect(screen.queryByRole('button', { name: /new alerts?: show/ })).toBeNull();
});

test('several are dismissed together, and each that is refused is named', async () => {
  const [one, two, three] = ['One', 'Two', 'Three'].map((title) => anAlert({ title }));
  await openAlerts({
    alerts: () => alertPage([one!, two!, { ...three!, status: 'in_progress' }]),
  });
  const sent = answer(alertRoutes.updateStatus, ({ params }) =>
    params['id'] === one!.id
      ? { ...one!, status: 'dismissed' as const }
      : refusal(404, 'alert_not_found', 'It is gone.'),
  );
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select: One' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select this page' }));
  expect(screen.getByText('3 alerts selected')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss (2)' }));
  expect(await screen.findByRole('alert')).toHaveTextContent("“Two” wasn't changed. It is gone.");
  expect(sent).toHaveLength(2);
  await waitFor(() => expect(screen.queryByText(/selected/)).toBeNull());
});

test('administrators give an alert to another user; no other user is offered that', async () => {
  const rena = {
    ...plainUser(),
    id: anId(),
    first_name: 'Rena',
    last_name: 'Example',
    email: 'r@example.com',
    is_active: true,
    has_password: true,
    two_factor: false,
    last_login_at: null,
  };
  const alert = anAlert();
  await openAlerts({ alerts: () => alertPage([alert]) });
  answer(userRoutes.list, { count: 1, results: [rena] });
  const sent = answer(alertRoutes.assign, { ...alert, status: 'in_progress' });
  await userEvent.click(await screen.findByRole('button', { name: /^Assign to\.\.\./ }));
  const dialog = await screen.findByRole('dialog', { name: 'Assign alert' });
  await userEvent.click(await within(dialog).findByRole('button', { name: 'Assign' }));
  expect(within(dialog).getByText('Choose a user.')).toBeVisible();
  await userEvent.selectOptions(
    within(dialog).getByRole('combobox'),
    'Rena Example · r@example.com',
  );
  await userEvent.click(within(dialog).getByRole('button', { name: 'Assign' }));
  await waitFor(() => expect(sent[0]?.body).toEqual({ user_id: rena.id }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
