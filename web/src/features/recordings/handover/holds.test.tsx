/** Evidence: what is held, why and by whom, holding more, and letting it go. */
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, test, vi } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { everySentence } from '#testing/every-sentence.ts';
import { aGuard, aHold, at, gate, noon, renderPart } from '#testing/handover.tsx';
import { answer, refusal } from '#testing/server.ts';
import { HeldNote } from './held-note.tsx';
import { HoldDialog } from './hold-dialog.tsx';

beforeAll(everySentence);

const recording = { cameraId: gate.id, startTime: at(0), endTime: at(450) };
const range = { fromMs: noon, untilMs: noon + 450_000 };
const staff = aUser({ role: 'user', is_staff: true, is_superuser: false });

async function open(user = aUser()) {
  renderPart(<HoldDialog camera={gate} range={range} onClose={vi.fn()} />, user);
  return within(await screen.findByRole('dialog', { name: 'Hold recordings of Вход' }));
}

test('C-407 a recording is held with a reason, and stands in the list', async () => {
  const holds = [aHold({ reason: 'An older case', created_by: null })];
  answer(recordingRoutes.holds, () => ({ count: holds.length, results: holds }));
  const added = answer(recordingRoutes.addHold, () => {
    holds.unshift(aHold());
    return holds[0]!;
  });
  const dialog = await open();
  expect(await dialog.findByText(/^Held by a deleted account, /)).toBeInTheDocument();
  const reason = dialog.getByLabelText(/^Reason/);
  await userEvent.click(dialog.getByRole('button', { name: 'Hold' }));
  expect(reason).toHaveAccessibleDescription(/^Enter a reason\./);
  await userEvent.type(reason, 'Case 17');
  await userEvent.click(dialog.getByRole('button', { name: 'Hold' }));
  expect(await dialog.findByText('The recordings are now held.')).toBeInTheDocument();
  expect(added.map(({ body }) => body)).toEqual([
    { camera: gate.id, from: at(0), until: at(450), reason: 'Case 17' },
  ]);
  expect(await dialog.findByText('Case 17')).toBeInTheDocument();
  expect(dialog.getByText(/^Held by Aysel Quliyeva, /)).toBeInTheDocument();
  expect(reason).toHaveValue('');
});

test('an impossible hold is reported at its field, and nothing is sent', async () => {
  answer(recordingRoutes.holds, { count: 0, results: [] });
  const added = answer(recordingRoutes.addHold, aHold());
  const dialog = await open();
  const until = dialog.getByLabelText(/^Until/);
  fireEvent.change(until, { target: { value: '2026-03-04T12:00:00' } });
  expect(until).toHaveAccessibleDescription('The end must be after the beginning.');
  fireEvent.change(until, { target: { value: '2026-04-04T12:00:00' } });
  expect(until).toBeValid();
  const reason = dialog.getByLabelText(/^Reason/);
  fireEvent.change(reason, { target: { value: 'x'.repeat(501) } });
  await userEvent.click(dialog.getByRole('button', { name: 'Hold' }));
  expect(reason).toHaveAccessibleDescription(/^The reason is too long\./);
  expect(added).toHaveLength(0);
  expect(dialog.getByText('No holds')).toBeInTheDocument();
});

test('a refused hold says why, and its reason stays', async () => {
  answer(recordingRoutes.holds, { count: 0, results: [] });
  answer(recordingRoutes.addHold, refusal(404, 'camera_not_found', "You can't see this camera."));
  const dialog = await open();
  await userEvent.type(dialog.getByLabelText(/^Reason/), 'Case 17');
  await userEvent.click(dialog.getByRole('button', { name: 'Hold' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent("You can't see this camera.");
  expect(dialog.getByLabelText(/^Reason/)).toHaveValue('Case 17');
});

test('C-407 a hold is released after a question that says what follows', async () => {
  let holds = [aHold()];
  const [hold] = holds;
  answer(recordingRoutes.holds, () => ({ count: holds.length, results: holds }));
  const removed = answer(recordingRoutes.removeHold, () => void (holds = []));
  const dialog = await open();
  await userEvent.click(await dialog.findByRole('button', { name: 'Release hold: Case 17' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Release this hold?' }));
  expect(question.getByText(/^Recordings of Вход \(.+\) can then be deleted/)).toBeInTheDocument();
  expect(removed).toHaveLength(0);
  await userEvent.click(question.getByRole('button', { name: 'Release hold' }));
  expect(await dialog.findByText('No holds')).toBeInTheDocument();
  expect(removed.map(({ params }) => params['id'])).toEqual([hold!.id]);
});

test('C-302 staff read the holds and are offered neither a hold nor its release', async () => {
  answer(recordingRoutes.holds, { count: 1, results: [aHold()] });
  const dialog = await open(staff);
  expect(await dialog.findByText('Case 17')).toBeInTheDocument();
  expect(dialog.queryByRole('button', { name: /hold/i })).toBeNull();
  expect(dialog.queryByLabelText(/^Reason/)).toBeNull();
});

test('C-407 a recording that is held says to administrators which hold it is', async () => {
  const asked = answer(recordingRoutes.holds, { count: 1, results: [aHold()] });
  renderPart(<HeldNote recording={recording} />, staff);
  expect(await screen.findByText('Case 17')).toBeInTheDocument();
  expect(
    screen.getByText("This recording is held as evidence and can't be deleted."),
  ).toBeInTheDocument();
  const { searchParams } = asked[0]!.url;
  expect(['camera', 'from', 'until'].map((name) => searchParams.get(name))).toEqual([
    gate.id,
    at(0),
    at(450),
  ]);
});

test('a user who is no administrator reads that it is held, and asks for no more', async () => {
  const asked = answer(recordingRoutes.holds, { count: 1, results: [aHold()] });
  renderPart(<HeldNote recording={recording} />, aGuard());
  expect(
    await screen.findByText("This recording is held as evidence and can't be deleted."),
  ).toBeInTheDocument();
  await waitFor(() => expect(asked).toHaveLength(0));
});
