import { faceRoutes } from '@nazar/contract/faces.ts';
import { privacyRoutes, type Consent } from '@nazar/contract/privacy.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { aConsent, aFace, aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal } from '#testing/server.ts';

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

test('C-1001 that nothing was recorded is said, and what is recorded with who did it', async () => {
  const dialog = await openDetails(aConsent());
  expect(await within(dialog).findByText('Not recorded')).toBeInTheDocument();
  expect(within(dialog).queryByText('Not recognized')).toBeNull();
});

test('C-1001 a basis that ended is told beside the person', async () => {
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

test('C-1003 erasing takes the password; a wrong one is told and nothing closes', async () => {
  const dialog = await openDetails(aConsent());
  answer(privacyRoutes.erase, fieldRefusal({ password: ['The current password is wrong.'] }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Erase permanently' }));
  const ask = await screen.findByRole('dialog', { name: 'Erase permanently' });
  await userEvent.type(within(ask).getByLabelText(/^Your password/), 'wrong');
  await userEvent.click(within(ask).getByRole('button', { name: 'Erase permanently' }));
  expect(await within(ask).findByText('The current password is wrong.')).toBeInTheDocument();
});

test('C-1003 of somebody who was erased no dialog is left', async () => {
  const dialog = await openDetails(aConsent());
  const cleaning = { state: 'cleaning', removed_at: face.created_at, cleaned_at: null } as const;
  const times = { requested_at: face.created_at, due_at: face.created_at, certificate: null };
  const about = { id: face.id, subject: 'person', reason: 'asked' } as const;
  const sent = answer(privacyRoutes.erase, { ...about, ...cleaning, ...times });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Erase permanently' }));
  const ask = await screen.findByRole('dialog', { name: 'Erase permanently' });
  await userEvent.type(within(ask).getByLabelText(/^Your password/), 'right');
  await userEvent.click(within(ask).getByRole('button', { name: 'Erase permanently' }));
  expect(await screen.findByText(/^Leyla Orucova was erased/)).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent.map(({ body }) => body)).toEqual([{ password: 'right' }]);
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
  expect(sent.map(({ body }) => body)).toEqual([{ password: 'right' }]);
  // The browser reads it a little later; pictures of the page may have gone meanwhile.
  expect(gone).not.toHaveBeenCalledWith('blob:export');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(gone).toHaveBeenCalledWith('blob:export');
  vi.useRealTimers();
  click.mockRestore();
});

test('ROL-011 who may only read a person may export, and neither erase nor record', async () => {
  const other = aUser({
    id: '44444444-4444-4444-8444-444444444444',
    role: 'user',
    is_staff: false,
  });
  const dialog = await openDetails(aConsent(), { ...other, is_superuser: false });
  expect(within(dialog).getByRole('button', { name: 'Export data' })).toBeInTheDocument();
  expect(within(dialog).queryByRole('button', { name: 'Erase permanently' })).toBeNull();
});
