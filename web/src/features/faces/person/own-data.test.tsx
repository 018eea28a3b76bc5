import { faceRoutes } from '@nazar/contract/faces.ts';
import {
  privacyRoutes,
  type ConfirmedProof,
  type Consent,
  type UnknownMatch,
} from '@nazar/contract/privacy.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { aConsent, aFace, aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal } from '#testing/server.ts';
import { noUnknownMatches } from '#testing/usual-replies.ts';

const face = aFace();
const employee = { id: face.category, name: 'employee', color: '#2563eb' };

async function openDetails(consent: Consent, user = aUser()) {
  answer(faceRoutes.list, { count: 1, results: [face] });
  answer(faceRoutes.read, face);
  answer(faceRoutes.categories, { results: [employee] });
  answer(privacyRoutes.consent, () => consent);
  answer(faceRoutes.image, new HttpResponse('jpeg'));
  await renderApp({ path: '/face-database', user });
  const view = await screen.findByRole('button', { name: 'View details of Leyla Orucova' });
  await userEvent.click(view);
  return screen.findByRole('dialog', { name: 'Leyla Orucova' });
}

test('C-1001 the page says that nothing was recorded, and otherwise what and who did it', async () => {
  const dialog = await openDetails(aConsent());
  expect(await within(dialog).findByText('Not recorded')).toBeInTheDocument();
  expect(within(dialog).queryByText('Not recognized')).toBeNull();
});

test('C-1001 a basis that ended is shown beside the person', async () => {
  const ended = { expires_at: '2026-03-04', has_ended: true, allows_recognition: false };
  const more = { document: 'Folder 7', recorded_by_name: 'Aysel Quliyeva' };
  const dialog = await openDetails(aConsent({ basis: 'consent', ...ended, ...more }));
  expect(await within(dialog).findByText('Not recognized')).toBeInTheDocument();
  expect(
    within(dialog).getByText(/ended on Mar 4, 2026 · Folder 7 · recorded by Aysel Quliyeva/),
  ).toBeInTheDocument();
});

test('C-1001 a basis is recorded with its days; an empty day is none', async () => {
  const dialog = await openDetails(aConsent());
  const sent = answer(privacyRoutes.recordConsent, () => aConsent({ basis: 'contract' }));
  await userEvent.click(await within(dialog).findByRole('button', { name: 'Legal basis' }));
  const form = await screen.findByRole('dialog', { name: 'Legal basis of Leyla Orucova' });
  await userEvent.selectOptions(await within(form).findByLabelText('Legal basis'), 'contract');
  await userEvent.type(within(form).getByLabelText('Obtained on'), '2026-03-04');
  await userEvent.type(within(form).getByLabelText('Document'), 'Folder 7');
  await userEvent.click(within(form).getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('The legal basis was saved.')).toBeInTheDocument();
  const days = { obtained_at: '2026-03-04', expires_at: null };
  expect(sent.map(({ body }) => body)).toEqual([
    { basis: 'contract', ...days, document: 'Folder 7' },
  ]);
});

test('C-1003 erasing takes the password; a wrong one is reported and nothing closes', async () => {
  const dialog = await openDetails(aConsent());
  answer(privacyRoutes.erase, fieldRefusal({ password: ['The current password is wrong.'] }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Erase permanently' }));
  const ask = await screen.findByRole('dialog', { name: 'Erase permanently' });
  await userEvent.type(within(ask).getByLabelText(/^Your password/), 'wrong');
  await userEvent.click(within(ask).getByRole('button', { name: 'Erase permanently' }));
  expect(await within(ask).findByText('The current password is wrong.')).toBeInTheDocument();
});

test('C-1003 the dialog of an erased person closes, and nothing is asked again', async () => {
  const dialog = await openDetails(aConsent());
  const cleaning = { state: 'cleaning', removed_at: face.created_at, cleaned_at: null } as const;
  const times = { requested_at: face.created_at, due_at: face.created_at, certificate: null };
  const removed = { pictures: 0, visits: 0 };
  const about = { id: face.id, subject: 'person', reason: 'asked', removed } as const;
  const read = answer(faceRoutes.read, face);
  const consents = answer(privacyRoutes.consent, () => aConsent());
  const lists = answer(faceRoutes.list, { count: 0, results: [] });
  const aboutThem = (): number =>
    [...read, ...consents].filter(({ url }) => url.pathname.includes(face.id)).length;
  let askedBefore = Number.NaN;
  const sent = answer(privacyRoutes.erase, () => {
    askedBefore = aboutThem();
    return { ...about, ...cleaning, ...times };
  });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Erase permanently' }));
  const ask = await screen.findByRole('dialog', { name: 'Erase permanently' });
  await userEvent.type(within(ask).getByLabelText(/^Your password/), 'right');
  await userEvent.click(within(ask).getByRole('button', { name: 'Erase permanently' }));
  expect(await screen.findByText(/^Leyla Orucova was erased/)).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
  // The list is read again; of whom is gone nothing is asked, which would be answered 404.
  expect(lists).not.toHaveLength(0);
  expect(aboutThem()).toBe(askedBefore);
  expect(sent.map(({ body }) => body)).toEqual([
    { password: 'right', unknown: [], unknown_version: 'none' },
  ]);
});

test('C-1007 the export is saved as a file, and its address is given back', async () => {
  const dialog = await openDetails(aConsent());
  const sent = answer(privacyRoutes.export, new Response('tar', { status: 200 }));
  const made = vi.fn(() => 'blob:export');
  const gone = vi.fn();
  const saved: string[] = [];
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: made, revokeObjectURL: gone }));
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(`${this.download} ${this.href}`);
  });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Export data' }));
  const ask = await screen.findByRole('dialog', { name: 'Export data' });
  await userEvent.type(within(ask).getByLabelText(/^Your password/), 'right');
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await userEvent.click(within(ask).getByRole('button', { name: 'Export data' }));
  expect(await screen.findByText('The archive was downloaded.')).toBeInTheDocument();
  expect(saved).toEqual([`person-${face.id}.tar blob:export`]);
  expect(sent.map(({ body }) => body)).toEqual([
    { password: 'right', unknown: [], unknown_version: 'none' },
  ]);
  // The browser reads it a little later; pictures of the page may have gone meanwhile.
  expect(gone).not.toHaveBeenCalledWith('blob:export');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(gone).toHaveBeenCalledWith('blob:export');
  vi.useRealTimers();
  click.mockRestore();
});

test('ROL-011 a user who may only read a person may export, and neither erase nor record', async () => {
  const other = aUser({
    id: '44444444-4444-4444-8444-444444444444',
    role: 'user',
    is_staff: false,
  });
  const dialog = await openDetails(aConsent(), { ...other, is_superuser: false });
  expect(within(dialog).getByRole('button', { name: 'Export data' })).toBeInTheDocument();
  expect(within(dialog).queryByRole('button', { name: 'Erase permanently' })).toBeNull();
});

const match = (over: Partial<UnknownMatch> = {}): UnknownMatch => ({
  id: '55555555-5555-4555-8555-555555555555',
  number: 14,
  visits: 3,
  first_at: '2026-03-03T05:06:07.000Z',
  last_at: '2026-03-04T05:06:07.000Z',
  cameras: ['Gate'],
  pictures: [],
  pictures_hidden: false,
  probability: 0.98,
  is_same: true,
  may_erase: true,
  ...over,
});
const single = match({
  id: '66666666-6666-4666-8666-666666666666',
  number: null,
  visits: 1,
  probability: 0.6,
  is_same: false,
});
const elsewhere = match({
  id: '77777777-7777-4777-8777-777777777777',
  number: 15,
  may_erase: false,
});

test('C-1003 unknown people of the same face are selected, others offered, and what was confirmed is sent', async () => {
  const dialog = await openDetails(aConsent());
  const results = [match(), elsewhere, single];
  answer(privacyRoutes.unknownMatches, {
    results,
    more: true,
    compared: null,
    not_comparable: 2,
    all_cameras: false,
    is_comparable: true,
    version: 'v1',
  });
  const sent = answer(privacyRoutes.erase, refusal(409, 'unknown_matches_changed', 'Changed.'));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Erase permanently' }));
  const ask = await screen.findByRole('dialog', { name: 'Erase permanently' });
  const known = await within(ask).findByRole('checkbox', { name: /^Unknown 14/ });
  expect(known).toBeChecked();
  expect(known.closest('li')).toHaveTextContent('3 visits · Mar 3, 2026 – Mar 4, 2026 · Gate');
  expect(known.closest('li')).toHaveTextContent('98% similar');
  const theirs = within(ask).getByRole('checkbox', { name: /^Unknown 15/ });
  expect(theirs).toBeDisabled();
  expect(theirs).not.toBeChecked();
  const offered = within(ask).getByRole('checkbox', { name: /^Single visit/ });
  expect(offered).not.toBeChecked();
  expect(within(ask).getByText(/Only cameras you have access to/)).toBeVisible();
  expect(within(ask).getByText(/There are more/)).toBeVisible();
  const apart = /^2 unknown people of another recognition model couldn't be compared/;
  expect(within(ask).getByText(apart)).toBeVisible();
  await userEvent.click(offered);
  await userEvent.type(within(ask).getByLabelText(/^Your password/), 'right');
  const again = answer(privacyRoutes.unknownMatches, {
    results: [match({ visits: 4, pictures_hidden: true }), single],
    compared: 9,
    not_comparable: 0,
    all_cameras: true,
    is_comparable: true,
    version: 'v2',
  });
  const confirm = within(ask).getByRole('button', { name: 'Erase permanently' });
  await userEvent.click(confirm);
  expect(await within(ask).findByText('Changed.')).toBeVisible();
  // The list is shown anew; what was chosen stays chosen.
  await vi.waitFor(() => expect(known.closest('li')).toHaveTextContent('4 visits'));
  expect(within(ask).queryByText(/another recognition model/)).toBeNull();
  expect(within(ask).getAllByText('Some pictures are hidden by privacy masks.')).toHaveLength(1);
  expect(again).toHaveLength(1);
  expect(offered).toBeChecked();
  await userEvent.click(known);
  await userEvent.type(within(ask).getByLabelText(/^Your password/), 'right');
  await userEvent.click(confirm);
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  const bodies = sent.map(({ body }) => body as ConfirmedProof);
  expect(bodies.map(({ unknown, unknown_version }) => [unknown, unknown_version])).toEqual([
    [[match().id, single.id], 'v1'],
    [[single.id], 'v2'],
  ]);
});

test('C-1003 before the search has ended nothing is erased; where it failed the page says so, and nothing is taken', async () => {
  const dialog = await openDetails(aConsent());
  let fail = (): void => undefined;
  const failed = new Promise<Response>((resolve) => {
    fail = () => resolve(refusal(500, 'internal', 'Broken.'));
  });
  answer(privacyRoutes.unknownMatches, () => failed);
  const sent = answer(privacyRoutes.erase, refusal(403, 'face_delete_forbidden', 'Not yours.'));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Erase permanently' }));
  const ask = await screen.findByRole('dialog', { name: 'Erase permanently' });
  await userEvent.type(within(ask).getByLabelText(/^Your password/), 'right');
  const confirm = within(ask).getByRole('button', { name: 'Erase permanently' });
  await userEvent.click(confirm);
  expect(await within(ask).findByText(/^Wait until the search/)).toBeVisible();
  expect(sent).toHaveLength(0);
  fail();
  expect(await within(ask).findByText('The search for unknown people failed')).toBeVisible();
  await userEvent.click(confirm);
  await vi.waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ password: 'right' }]));
});

test('C-1007 the file holds the visits of unknown people that were selected, at whichever camera', async () => {
  const dialog = await openDetails(aConsent());
  answer(privacyRoutes.unknownMatches, {
    results: [match(), elsewhere, single],
    compared: null,
    not_comparable: 0,
    all_cameras: false,
    is_comparable: true,
    version: 'v1',
  });
  const sent = answer(privacyRoutes.export, refusal(409, 'unknown_matches_changed', 'Changed.'));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Export data' }));
  const ask = await screen.findByRole('dialog', { name: 'Export data' });
  expect(await within(ask).findByRole('checkbox', { name: /^Unknown 15/ })).toBeChecked();
  await userEvent.type(within(ask).getByLabelText(/^Your password/), 'right');
  await userEvent.click(within(ask).getByRole('button', { name: 'Export data' }));
  await vi.waitFor(() =>
    expect(sent.map(({ body }) => body)).toEqual([
      { password: 'right', unknown: [match().id, elsewhere.id], unknown_version: 'v1' },
    ]),
  );
});

test('C-1003 where no photo can be compared, the page says so instead of finding no one', async () => {
  const dialog = await openDetails(aConsent());
  answer(privacyRoutes.unknownMatches, { ...noUnknownMatches, is_comparable: false });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Erase permanently' }));
  const ask = await screen.findByRole('dialog', { name: 'Erase permanently' });
  expect(await within(ask).findByText(/^None of the photos can be compared/)).toBeVisible();
  expect(within(ask).queryByText(/were found/)).toBeNull();
});
