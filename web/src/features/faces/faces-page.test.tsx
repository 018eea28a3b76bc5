import { accountRoutes } from '@nazar/contract/accounts.ts';
import { faceRoutes, type Face } from '@nazar/contract/faces.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { unknownFaceRoutes } from '@nazar/contract/unknown-faces.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { aFace, aPhoto, aUser } from '#testing/builders.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal, type Seen } from '#testing/server.ts';

const employee = { id: '33333333-3333-4333-8333-333333333333', name: 'employee', color: '#2563eb' };
const vip = { id: '33333333-3333-4333-8333-333333333334', name: 'vip', color: '#d97706' };
const stranger = '99999999-9999-4999-8999-999999999999';

beforeEach(() => {
  answer(faceRoutes.categories, { results: [employee, vip] });
  answer(faceRoutes.image, new HttpResponse('jpeg'));
});

/** `count` people in all, of whom the server shows these. */
const people = (results: Face[], count = results.length): Seen[] =>
  answer(faceRoutes.list, { count, results });

const asked = (seen: readonly Seen[]): string => seen.at(-1)?.url.search ?? '';

test('FACE-001, FACE-015, FACE-016, ~CON-012 the page asks for twelve people and shows no pages for one', async () => {
  const seen = people([aFace()]);
  await renderApp({ path: '/face-database', user: aUser() });
  expect(await screen.findByText('1 person')).toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 1, name: 'Face Database' })).toBeInTheDocument();
  expect(asked(seen)).toBe('?page=1&page_size=12');
  expect(screen.queryByRole('navigation', { name: 'Pages' })).not.toBeInTheDocument();
});

/** The cards of two people: one with all there is, one with the least. */
async function openCards(): Promise<[HTMLElement, HTMLElement]> {
  people([
    aFace({
      position: 'Receptionist',
      email: 'leyla@example.com',
      phone: '+994 50 555 00 10',
      images: [aPhoto(), aPhoto()],
      is_active: false,
      is_demo: true,
    }),
    aFace({ first_name: 'Can', last_name: 'Demir', category_name: 'vip', created_by_name: 'Rena' }),
  ]);
  await renderApp({ path: '/face-database', user: aUser() });
  const list = await screen.findByRole('list', { name: 'Face Database' });
  const [first, second] = within(list).getAllByRole('listitem');
  return [first!, second!];
}

test('FACE-018, FACE-021 a card shows a photo of the person, and how many there are', async () => {
  const cards = await openCards();
  for (const [index, count] of ['2 photos', '1 photo'].entries()) {
    const card = cards[index]!;
    await waitFor(() => expect(card.querySelector('img')).toHaveAttribute('src'));
    expect(within(card).getByText(count)).toBeInTheDocument();
  }
});

test('FACE-019, FACE-020, FACE-022 a card shows category, whether inactive, position, e-mail address, phone, and who added', async () => {
  const [first, second] = await openCards();
  const all = [
    'Leyla Orucova',
    'Employee',
    'Inactive',
    'Demo',
    'Receptionist',
    'leyla@example.com',
    '+994 50 555 00 10',
    'Aysel Quliyeva',
  ];
  for (const text of all) {
    expect(within(first).getByText(text), text).toBeInTheDocument();
    expect(within(second).queryByText(text), text).toBeNull();
  }
  for (const text of ['Can Demir', 'VIP', 'Rena'])
    expect(within(second).getByText(text), text).toBeInTheDocument();
});

test('FACE-023 a card has the actions view, add photos, edit and delete, of its own person', async () => {
  for (const [index, card] of (await openCards()).entries()) {
    const name = ['Leyla Orucova', 'Can Demir'][index]!;
    const buttons = within(card).getAllByRole('button');
    expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
      null,
      `View details of ${name}`,
      `Add photos of ${name}`,
      `Edit ${name}`,
      `Delete ${name}`,
    ]);
  }
});

test('a person without a usable photo is marked with the reason', async () => {
  people([
    aFace({ images: [aPhoto({ usable: false, fault: 'blurred' })] }),
    aFace({ images: [], image: null }),
    aFace({ images: [aPhoto(), aPhoto({ usable: false, fault: 'turned' })] }),
  ]);
  await renderApp({ path: '/face-database', user: aUser() });
  expect(
    await screen.findByText('Not recognized yet: the picture is too blurred.'),
  ).toBeInTheDocument();
  expect(screen.getByText('Not recognized yet: no photo')).toBeInTheDocument();
  expect(screen.getAllByText(/Not recognized yet/)).toHaveLength(2);
});

test('a card says who may be the same person, and leads to the people of that name', async () => {
  const similar = [{ face: stranger, name: 'Leyla Orujova', probability: 0.936 }];
  const seen = people([aFace({ similar })]);
  await renderApp({ path: '/face-database', user: aUser() });
  const link = await screen.findByRole('link', {
    name: 'May be the same person as Leyla Orujova (94%)',
  });
  await userEvent.click(link);
  await waitFor(() => expect(asked(seen)).toContain('search=Leyla'));
});

test('people of one account are shown by a link, and all again by one press', async () => {
  const seen = people([aFace({ created_by: stranger, created_by_name: 'Aysel Quliyeva' })]);
  await renderApp({ path: `/face-database?added_by=${stranger}`, user: aUser() });
  expect(await screen.findByText('Added by Aysel Quliyeva')).toBeInTheDocument();
  expect(asked(seen)).toContain(`created_by=${stranger}`);
  await userEvent.click(screen.getByRole('button', { name: 'Show people added by all accounts' }));
  await waitFor(() => expect(asked(seen)).not.toContain('created_by'));
});

test('FACE-028, ~CON-029 an answer without a list of images counts as one', async () => {
  const { imageCount } = await import('./recognition.ts');
  expect([imageCount({}), imageCount({ images: [] }), imageCount({ images: [1, 2] })]).toEqual([
    1, 0, 2,
  ]);
});

test('FACE-005 the search is asked on Enter and by its button', async () => {
  const seen = people([aFace()], 40);
  await renderApp({ path: '/face-database', user: aUser() });
  const person = userEvent.setup();
  await person.type(await screen.findByRole('searchbox'), ' leyla {Enter}');
  await waitFor(() => expect(asked(seen)).toBe('?search=leyla&page=1&page_size=12'));
  expect(location.search).toBe('?search=leyla');
  await person.clear(screen.getByRole('searchbox'));
  await person.type(screen.getByRole('searchbox'), 'can');
  await person.click(screen.getByRole('button', { name: 'Search' }));
  await waitFor(() => expect(asked(seen)).toContain('search=can'));
});

test('FACE-006, FACE-007 filters by category and by status, all at first', async () => {
  const seen = people([aFace()], 40);
  await renderApp({ path: '/face-database', user: aUser() });
  const person = userEvent.setup();
  await waitFor(() => expect(asked(seen)).toBe('?page=1&page_size=12'));
  await person.selectOptions(await screen.findByRole('combobox', { name: 'Category' }), 'VIP');
  await waitFor(() => expect(asked(seen)).toContain(`category=${vip.id}`));
  const status = screen.getByRole('combobox', { name: 'Status' });
  await person.selectOptions(status, 'Inactive');
  await waitFor(() => expect(asked(seen)).toContain('is_active=false'));
  await person.selectOptions(status, 'Active');
  await waitFor(() => expect(asked(seen)).toContain('is_active=true'));
  await person.selectOptions(status, within(status).getAllByRole('option')[0]!);
  await waitFor(() => expect(location.search).toBe(`?category=${vip.id}`));
});

test.each<[string, (person: UserEvent) => Promise<void>]>([
  ['search', async (person) => person.type(screen.getByRole('searchbox'), 'a{Enter}')],
  ['category', (person) => choose(person, 'Category', 'VIP')],
  ['status', (person) => choose(person, 'Status', 'Inactive')],
])('FACE-017 a change of the %s leads back to page 1', async (_, change) => {
  const seen = people([aFace()], 40);
  await renderApp({ path: '/face-database?page=3', user: aUser() });
  await waitFor(() => expect(asked(seen)).toBe('?page=3&page_size=12'));
  await screen.findByRole('option', { name: 'VIP' });
  await change(userEvent.setup());
  await waitFor(() => expect(asked(seen)).toContain('page=1&'));
  expect(location.search).not.toContain('page=');
});

async function choose(person: UserEvent, filter: string, choice: string): Promise<void> {
  await person.selectOptions(screen.getByRole('combobox', { name: filter }), choice);
}

test.each(['', '&view=visits', '&view=unknown'])(
  'a page behind the last gives way to the last (%s), and the way back leads past it',
  async (view) => {
    const none = { count: 13, results: [] };
    answer(faceRoutes.list, none);
    answer(unknownFaceRoutes.list, none);
    answer(visitRoutes.faceLogs, none);
    await renderApp({ path: `/face-database?page=9${view}`, user: aUser() });
    const before = history.length;
    await waitFor(() => expect(location.search).toContain('page=2'));
    expect(history.length).toBe(before);
  },
);

test('a page of visits that the server refuses, as there are fewer, gives way to the first', async () => {
  answer(visitRoutes.faceLogs, ({ url }) =>
    url.searchParams.get('page') === '1'
      ? { count: 0, results: [] }
      : fieldRefusal({ page: ['There are fewer pages.'] }),
  );
  await renderApp({ path: '/face-database?view=visits&page=9', user: aUser() });
  expect(await screen.findByText('No unknown visits')).toBeVisible();
  expect(location.search).toBe('?view=visits');
});

test('FACE-014 pages turn in the address', async () => {
  const seen = people([aFace()], 40);
  await renderApp({ path: '/face-database', user: aUser() });
  await userEvent.click(await screen.findByRole('button', { name: 'Page 3' }));
  await waitFor(() => expect(asked(seen)).toContain('page=3'));
  expect(location.search).toBe('?page=3');
});

test('FACE-014 two hundred people are seventeen pages, five of them around the one that is open', async () => {
  people([aFace()], 200);
  await renderApp({ path: '/face-database?page=9', user: aUser() });
  const pages = await screen.findByRole('navigation', { name: 'Pages' });
  const offered = [...pages.children].map(({ textContent }) => textContent).filter(Boolean);
  expect(offered.join(' ')).toBe('1 … 7 8 9 10 11 … 17');
  expect(within(pages).getByRole('button', { current: 'page' })).toHaveTextContent('9');
});

test('FACE-008 Refresh asks again', async () => {
  const seen = people([aFace()]);
  await renderApp({ path: '/face-database', user: aUser() });
  await screen.findByText('1 person');
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(seen).toHaveLength(2));
});

test('FACE-027 an empty page says whether there is nothing or the filters hide it', async () => {
  people([]);
  await renderApp({ path: '/face-database?search=nobody', user: aUser() });
  expect(await screen.findByText('No people found')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('No people yet')).toBeInTheDocument();
  expect(location.search).toBe('');
  expect(screen.getByRole('searchbox')).toHaveValue('');
});

test('~C-1009 a user who sees only their own people does not read that there are none', async () => {
  people([]);
  await renderApp({
    path: '/face-database',
    user: aUser({ role: 'operator', is_staff: false, is_superuser: false }),
  });
  expect(await screen.findByText("You haven't added anyone yet")).toBeInTheDocument();
  expect(screen.getByText(/^People added by other accounts aren't listed here/)).toBeVisible();
  expect(screen.queryByText('No people yet')).toBeNull();
});

test('a failed page says so and offers another try', async () => {
  answer(faceRoutes.list, refusal(500, 'internal', 'Something went wrong. Please try again.'));
  await renderApp({ path: '/face-database', user: aUser() });
  expect(await screen.findByText('Something went wrong. Please try again.')).toBeInTheDocument();
  people([aFace()]);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Leyla Orucova')).toBeInTheDocument();
});

test('FACE-057, ~NSH-045 people that could not be refreshed stay in sight, with their age', async () => {
  people([aFace()]);
  await renderApp({ path: '/face-database', user: aUser() });
  await screen.findByText('Leyla Orucova');
  answer(faceRoutes.list, refusal(500, 'internal', 'x'));
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await screen.findByText(/Showing cached data from \d/)).toBeInTheDocument();
  expect(screen.getByText('Leyla Orucova')).toBeInTheDocument();
  people([aFace()]);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(screen.queryByText(/Showing cached data/)).not.toBeInTheDocument());
});

test('news that people changed refreshes the list', async () => {
  const seen = people([aFace()]);
  await renderApp({ path: '/face-database', user: aUser() });
  await screen.findByText('1 person');
  act(() => FakeSocket.opened[0]?.receive({ kind: 'changed', what: 'faces' }));
  await waitFor(() => expect(seen).toHaveLength(2));
});

function wideWindow(): void {
  vi.spyOn(globalThis, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: query.includes('min-width'),
        media: query,
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  );
}

test('FACE-003, ~FACE-024, FACE-025 the list is a table of ten columns, and the account remembers it', async () => {
  wideWindow();
  people([aFace()]);
  await renderApp({ path: '/face-database', user: aUser() });
  const kept = answer(accountRoutes.updatePreferences, refusal(500, 'internal', ''));
  await userEvent.click(await screen.findByRole('radio', { name: 'List' }));
  const table = await screen.findByRole('table', { name: 'Face Database' });
  const headers = within(table).getAllByRole('columnheader');
  expect(headers.map((header) => header.textContent)).toEqual([
    'Photo',
    'Full name',
    'Category',
    'Position',
    'Created by',
    'Email',
    'Phone',
    'Photos',
    'Status',
    'Actions',
  ]);
  const dot = within(table).getByText('Employee').querySelector('[aria-hidden]');
  expect(dot).toHaveStyle({ backgroundColor: '#2563eb' });
  await waitFor(() => expect(kept[0]?.body).toEqual({ faces_view: 'list' }));
  await userEvent.click(within(table).getByRole('button', { name: 'Actions for Leyla Orucova' }));
  const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
  expect(items).toEqual(['View details', 'Add photos', 'Edit', 'Delete']);
});

test('phones get cards whatever the account remembers', async () => {
  people([aFace()]);
  await renderApp({
    path: '/face-database',
    user: aUser(),
    preferences: { faces_view: 'list' },
  });
  expect(await screen.findByRole('list', { name: 'Face Database' })).toBeInTheDocument();
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
  expect(screen.queryByRole('radio', { name: 'List' })).not.toBeInTheDocument();
});

test('ROL-011 a user who is no administrator changes only what they added', async () => {
  const user = aUser({ role: 'user', is_staff: false, is_superuser: false });
  people([aFace({ first_name: 'Mine' }), aFace({ first_name: 'Theirs', created_by: stranger })]);
  await renderApp({ path: '/face-database', user });
  expect(await screen.findByRole('button', { name: 'Edit Mine Orucova' })).toBeInTheDocument();
  expect(
    screen.getByRole('button', { name: 'View details of Theirs Orucova' }),
  ).toBeInTheDocument();
  for (const verb of ['Edit', 'Delete', 'Add photos of']) {
    expect(screen.queryByRole('button', { name: `${verb} Theirs Orucova` })).toBeNull();
  }
});
