import { faceRoutes } from '@nazar/contract/faces.ts';
import { privacyRoutes } from '@nazar/contract/privacy.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { unknownFaceRoutes, type UnknownFace } from '@nazar/contract/unknown-faces.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aConsent, aFace, anId, aStranger, aUser, aVisit } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const employee = { id: anId(), name: 'employee', color: '#2563eb' };
const operator = aUser({ role: 'operator', is_staff: false, is_superuser: false });

const strangers = (...results: UnknownFace[]) =>
  answer(unknownFaceRoutes.list, { count: results.length, results });

beforeEach(() => {
  answer(visitRoutes.picture, new HttpResponse('jpeg'));
  answer(faceRoutes.image, new HttpResponse('jpeg'));
  answer(faceRoutes.categories, { results: [employee] });
});

async function opened(stranger: UnknownFace, user = operator, others: UnknownFace[] = []) {
  strangers(stranger, ...others);
  const visits = [aVisit(), aVisit()];
  const asked = answer(visitRoutes.faceLogs, { count: visits.length, results: visits });
  await renderApp({ path: '/face-database?view=unknown', user });
  await userEvent.click(await screen.findByRole('button', { name: 'Unknown 14' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Unknown 14' }));
  await dialog.findByRole('list', { name: 'Visits' });
  return { dialog, asked, visits };
}

test('FACE-062, NSH-022 people who are not enrolled are listed with picture, camera, time and status', async () => {
  const asked = strangers(aStranger(), aStranger({ number: 15, status: 'ignored', count: 1 }));
  await renderApp({ path: '/face-database?view=unknown', user: operator });
  expect(await screen.findByText('2 unknown people')).toBeInTheDocument();
  const [first, second] = within(screen.getByRole('list', { name: 'Unknown people' })).getAllByRole(
    'listitem',
  );
  for (const text of ['Unknown 14', 'Lobby', 'New', '3 visits'])
    expect(within(first!).getByText(text)).toBeInTheDocument();
  expect(within(second!).getByText('Ignored')).toBeInTheDocument();
  expect(asked.at(-1)?.url.search).toBe('?ordering=-timestamp&page=1&page_size=12');
});

test('~FACE-062 pictures that a privacy mask hides say so: of unknown people and of their visits', async () => {
  const stranger = aStranger({ image: null, picture_hidden: true });
  strangers(stranger, aStranger({ number: 15 }));
  const visits = [aVisit({ face_image_url: null, picture_hidden: true }), aVisit()];
  answer(visitRoutes.faceLogs, { count: visits.length, results: visits });
  await renderApp({ path: '/face-database?view=unknown', user: operator });
  const list = within(await screen.findByRole('list', { name: 'Unknown people' }));
  expect(list.getAllByText('Hidden by a privacy mask')).toHaveLength(1);
  await userEvent.click(await screen.findByRole('button', { name: 'Unknown 14' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Unknown 14' }));
  const [hidden, shown] = within(await dialog.findByRole('list', { name: 'Visits' })).getAllByRole(
    'listitem',
  );
  // Once to see, once to be read out.
  expect(within(hidden!).getAllByText('Hidden by a privacy mask')).toHaveLength(2);
  expect(within(shown!).queryByText('Hidden by a privacy mask')).toBeNull();
});

test('FACE-062 more strangers than are counted are shown as more', async () => {
  answer(unknownFaceRoutes.list, { count: 10_000, more: true, results: [aStranger()] });
  await renderApp({ path: '/face-database?view=unknown', user: operator });
  expect(await screen.findByText('More than 10,000 unknown people')).toBeInTheDocument();
});

test('NSH-022 status and order are asked of the server, and stand in the address', async () => {
  const asked = strangers();
  await renderApp({ path: '/face-database?view=unknown', user: operator });
  expect(await screen.findByText('No unknown people')).toBeInTheDocument();
  await userEvent.selectOptions(screen.getByLabelText('Review status'), 'In review');
  expect(await screen.findByText('No unknown people with this status')).toBeInTheDocument();
  await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'Most visits first');
  await waitFor(() =>
    expect(asked.at(-1)?.url.search).toBe('?status=reviewing&ordering=-count&page=1&page_size=12'),
  );
  expect(location.search).toBe('?view=unknown&progress=reviewing&order=-count');
});

test('NSH-022 the review status is changed, a refusal is shown, and "identified" cannot be chosen', async () => {
  const stranger = aStranger();
  const { dialog } = await opened(stranger);
  const changed = answer(unknownFaceRoutes.updateStatus, { ...stranger, status: 'reviewing' });
  const status = dialog.getByLabelText('Review status');
  expect(within(status).getByRole('option', { name: 'Identified' })).toBeDisabled();
  await userEvent.selectOptions(status, 'In review');
  expect(await screen.findByText('The status was changed.')).toBeInTheDocument();
  expect(changed.at(-1)?.body).toEqual({ status: 'reviewing' });
  expect(status).toHaveValue('reviewing');
  const said = "Cameras you can't see also saw this person. Ask an administrator.";
  answer(unknownFaceRoutes.updateStatus, refusal(403, 'unknown_face_seen_elsewhere', said));
  await userEvent.selectOptions(status, 'Ignored');
  expect(await dialog.findByText(said)).toBeInTheDocument();
  expect(status).toHaveValue('reviewing');
});

test('NSH-022 identify: an enrolled person, found by name; the dialog then leads to them', async () => {
  const stranger = aStranger();
  const person = aFace();
  const { dialog } = await opened(stranger);
  const people = answer(faceRoutes.list, { count: 1, results: [person] });
  await userEvent.click(dialog.getByRole('button', { name: 'Identify' }));
  const form = within(await screen.findByRole('dialog', { name: 'Who is Unknown 14?' }));
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(form.getByText('Choose a person.')).toBeInTheDocument();
  await userEvent.type(form.getByRole('searchbox'), 'leyla{Enter}');
  await waitFor(() => expect(people.at(-1)?.url.searchParams.get('search')).toBe('leyla'));
  await userEvent.click(await form.findByRole('radio', { name: /Leyla Orucova/ }));
  const identified = answer(unknownFaceRoutes.identify, {
    ...stranger,
    status: 'identified',
    face: person.id,
    face_name: 'Leyla Orucova',
    correction: { id: anId(), kind: 'identify', created_at: '2026-03-04T06:00:00.000Z' },
  });
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(
    await screen.findByText('Identified as Leyla Orucova, in past visits too.'),
  ).toBeInTheDocument();
  expect(identified.at(-1)?.body).toEqual({ face: person.id });
  const now = within(await screen.findByRole('dialog', { name: 'Leyla Orucova' }));
  expect(now.getByText('Identified')).toBeInTheDocument();
  expect(now.queryByRole('button', { name: 'Identify' })).not.toBeInTheDocument();
  answer(faceRoutes.read, person);
  const consents = answer(privacyRoutes.consent, aConsent());
  await userEvent.click(now.getByRole('link', { name: 'Leyla Orucova' }));
  await waitFor(() => expect(location.search).toBe(`?person=${person.id}`));
  expect(screen.queryByLabelText('Review status')).not.toBeInTheDocument();
  await waitFor(() => expect(consents).not.toHaveLength(0));
});

test('NSH-022 identify: a new person, by name and category; what is wrong stands at its field', async () => {
  const stranger = aStranger();
  const { dialog } = await opened(stranger);
  answer(faceRoutes.list, { count: 0, results: [] });
  await userEvent.click(dialog.getByRole('button', { name: 'Identify' }));
  const form = within(await screen.findByRole('dialog', { name: 'Who is Unknown 14?' }));
  await userEvent.click(form.getByRole('radio', { name: 'A new person' }));
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText('First name is required')).toBeInTheDocument();
  await userEvent.type(form.getByLabelText(/First name/), 'Nigar');
  await userEvent.type(form.getByLabelText(/Last name/), 'Aliyeva');
  await userEvent.selectOptions(form.getByLabelText(/Category/), 'Employee');
  const identified = answer(unknownFaceRoutes.identify, { ...stranger, status: 'identified' });
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/Identified as Nigar Aliyeva/)).toBeInTheDocument();
  expect(identified.at(-1)?.body).toEqual({
    first_name: 'Nigar',
    last_name: 'Aliyeva',
    category: employee.id,
  });
});

test('two strangers are merged: the other one is chosen from those without a name', async () => {
  const stranger = aStranger();
  const other = aStranger({ number: 15 });
  const named = aStranger({ number: 16, status: 'identified', face: anId() });
  const { dialog } = await opened(stranger, operator, [other, named]);
  await userEvent.click(dialog.getByRole('button', { name: 'Merge with another…' }));
  const form = within(await screen.findByRole('dialog', { name: 'Merge Unknown 14 with…' }));
  await userEvent.click(form.getByRole('button', { name: 'Merge' }));
  expect(form.getByText('Choose the other person.')).toBeInTheDocument();
  expect(await form.findAllByRole('radio')).toHaveLength(1);
  await userEvent.click(form.getByRole('radio', { name: /Unknown 15/ }));
  const merged = answer(unknownFaceRoutes.merge, { ...stranger, count: 6 });
  await userEvent.click(form.getByRole('button', { name: 'Merge' }));
  expect(await screen.findByText('The two were merged.')).toBeInTheDocument();
  expect(merged.at(-1)?.body).toEqual({ with: other.id });
});

test('merging is offered where there is another without a name', async () => {
  const named = aStranger({ number: 16, status: 'identified', face: anId() });
  const { dialog } = await opened(aStranger(), operator, [named]);
  expect(dialog.getByRole('button', { name: 'Identify' })).toBeVisible();
  expect(dialog.queryByRole('button', { name: 'Merge with another…' })).not.toBeInTheDocument();
});

test('visits that were another person are split off', async () => {
  const stranger = aStranger();
  const { dialog, visits } = await opened(stranger);
  expect(dialog.queryByRole('button', { name: /^Split off/ })).not.toBeInTheDocument();
  await userEvent.click(dialog.getAllByRole('checkbox')[0]!);
  const split = answer(unknownFaceRoutes.split, aStranger({ number: 22, count: 1 }));
  await userEvent.click(dialog.getByRole('button', { name: 'Split off 1 visit' }));
  expect(await screen.findByText('1 visit was moved to Unknown 22.')).toBeInTheDocument();
  expect(split.at(-1)?.body).toEqual({ visits: [visits[0]!.id] });
});

test('a correction can be taken back, unless another user was faster', async () => {
  const correction = { id: anId(), kind: 'merge', created_at: '2026-03-04T06:00:00.000Z' } as const;
  const stranger = aStranger({ correction });
  const { dialog } = await opened(stranger);
  expect(dialog.getByText('Merged with another person')).toBeInTheDocument();
  const said = 'There is something newer to take back first.';
  answer(unknownFaceRoutes.undo, refusal(409, 'correction_changed', said));
  await userEvent.click(dialog.getByRole('button', { name: 'Undo' }));
  expect(await dialog.findByText(said)).toBeInTheDocument();
  const undone = answer(unknownFaceRoutes.undo, { ...stranger, correction: null });
  await userEvent.click(dialog.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Undone.')).toBeInTheDocument();
  expect(undone.at(-1)?.body).toEqual({ correction: correction.id });
  expect(dialog.queryByText('Merged with another person')).not.toBeInTheDocument();
});

test('NSH-022 a user who may not review sees them and says nothing of them', async () => {
  const { dialog } = await opened(
    aStranger(),
    aUser({ role: 'user', is_staff: false, is_superuser: false }),
  );
  expect(dialog.getByText('New')).toBeInTheDocument();
  expect(dialog.queryByRole('checkbox')).not.toBeInTheDocument();
  expect(dialog.queryByLabelText('Review status')).not.toBeInTheDocument();
  for (const name of ['Identify', 'Merge with another…'])
    expect(dialog.queryByRole('button', { name })).not.toBeInTheDocument();
});
