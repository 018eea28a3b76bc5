import { privacyRoutes, type Erasure } from '@nazar/contract/privacy.ts';
import { settingsRoutes } from '@nazar/contract/settings.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aUser, anId } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer } from '#testing/server.ts';

const policy = {
  strangers: 'keep',
  unknownFaceDays: 30,
  faceLogDays: 365,
  activityNoteDays: 90,
  unseenPersonDays: 0,
  requireConsent: false,
} as const;

const anErasure = (over: Partial<Erasure> = {}): Erasure => ({
  id: anId(),
  subject: 'person',
  reason: 'asked',
  state: 'cleaning',
  requested_at: '2026-03-04T05:06:07.000Z',
  due_at: '2026-04-03T05:06:07.000Z',
  removed_at: '2026-03-04T05:06:07.000Z',
  cleaned_at: null,
  removed: { pictures: 0, visits: 0 },
  certificate: null,
  ...over,
});

const certificate = {
  subject_digest: 'ab'.repeat(32),
  images: 2,
  vectors: 2,
  pictures: 7,
  visits: 0,
  people: 1,
  notes: 4,
  tables_clean: true,
  unknown: { compared: 12, not_comparable: 4, all_cameras: true, found: 3, taken: 2 },
  statistics_clean: true,
  log_clean: false,
};

async function open(erasures: Erasure[] = [], user = aUser(), page = '') {
  const ended = { user_id: anId(), ended_at: '2026-03-04T05:06:07.000Z', people: 3 };
  answer(settingsRoutes.read, () => ({ privacy: policy }));
  answer(privacyRoutes.erasures, () => ({ count: erasures.length, results: erasures }));
  answer(privacyRoutes.endedAccounts, () => ({
    results: [{ ...ended, erase_after: '2026-03-05T01:06:07.000Z' }],
  }));
  await renderApp({ path: `/settings/privacy${page}`, user });
  await screen.findByRole('heading', { level: 1, name: 'Privacy' });
  return ended;
}

test('a page of erasures behind the last gives way to the last', async () => {
  await open([], aUser(), '?page=99');
  await waitFor(() => expect(location.search).toBe(''));
  expect(await screen.findByText('No erasures yet.')).toBeVisible();
});

test('C-1006 limits are read and changed, and a value that does not fit is reported at its field', async () => {
  await open();
  const sent = answer(settingsRoutes.update, () => ({ privacy: policy }));
  const days = await screen.findByLabelText(/^Keep visits \(days\)/);
  expect(days).toHaveValue(365);
  await userEvent.clear(days);
  await userEvent.type(days, '9999');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(days).toBeInvalid();
  expect(sent).toHaveLength(0);
  await userEvent.clear(days);
  await userEvent.type(days, '90');
  await userEvent.selectOptions(screen.getByLabelText('Unknown people'), 'discard');
  await userEvent.click(screen.getByRole('switch', { name: /legal basis/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('The settings were saved.')).toBeInTheDocument();
  const wanted = { ...policy, faceLogDays: 90, strangers: 'discard', requireConsent: true };
  expect(sent.map(({ body }) => body)).toEqual([{ privacy: wanted }]);
});

test('C-302 a user who may only read the settings reads so', async () => {
  await open([], aUser({ role: 'user', is_superuser: false, is_staff: true }));
  expect(await screen.findByText(/Only administrators can change/)).toBeInTheDocument();
  expect(screen.getByLabelText(/^Keep visits \(days\)/)).toBeDisabled();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Take over' })).toBeNull();
});

test('C-1004 an erasure says how far it is; done, it has a certificate that claims no more than was proven', async () => {
  const done = anErasure({ state: 'done', cleaned_at: '2026-03-04T05:07:07.000Z', certificate });
  const removed = { pictures: 34_000, visits: 0 };
  await open([anErasure({ state: 'removing', removed_at: null, removed }), anErasure(), done]);
  const list = await screen.findByRole('list', { name: 'Erasures' });
  expect(within(list).getByText('Removing')).toBeInTheDocument();
  expect(within(list).getAllByText(/Visit pictures: 34,000/)).toHaveLength(1);
  expect(within(list).getByText('Cleaning the disk')).toBeInTheDocument();
  expect(within(list).getByText('Erased')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: /^Certificate of the erasure/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Certificate' });
  expect(within(dialog).getByText(certificate.subject_digest)).toBeInTheDocument();
  expect(within(dialog).getByText('Texts in the activity log').nextSibling).toHaveTextContent('4');
  expect(within(dialog).getAllByText('Clean')).toHaveLength(2);
  expect(within(dialog).getByText("Can't be proven here")).toBeInTheDocument();
  expect(within(dialog).getByText(/4 unknown people of another recognition model/)).toBeVisible();
});

test('SES-041 people of an ended account are taken over before they are erased', async () => {
  const ended = await open();
  const sent = answer(privacyRoutes.handOver, () => ({ people: 3 }));
  expect(await screen.findByText('3 people')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Take over' }));
  expect(await screen.findByText("You've taken over these people.")).toBeInTheDocument();
  expect(sent.map(({ url, body }) => [url.pathname.includes(ended.user_id), body])).toEqual([
    [true, { to: aUser().id }],
  ]);
});
