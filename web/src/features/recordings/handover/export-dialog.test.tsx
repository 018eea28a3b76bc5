/** Asking for an export: the period typed or by handles, the cameras by name, and what cannot be exported. */
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { exportRoutes, type ExportEstimate, type ExportFields } from '@nazar/contract/exports.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { aCamera } from '#testing/cameras.ts';
import { everySentence } from '#testing/every-sentence.ts';
import { at, gate, noon, renderPart, unfinished, yard } from '#testing/handover.tsx';
import { answer, fieldRefusal, refusal, type Seen } from '#testing/server.ts';
import { ExportDialog } from './export-dialog.tsx';
import type { Period } from './period.ts';

beforeAll(everySentence);

const selection: Period = { fromMs: noon, untilMs: noon + 450_000 };
const onSelection = vi.fn<(selection: Period) => void>();
const onClose = vi.fn<() => void>();
let added: Seen[];

const estimating = (of: (id: string) => Partial<ExportEstimate> = () => ({})) =>
  answer(exportRoutes.estimate, ({ body }) => ({
    results: (body as ExportFields).cameras.map((camera_id) => ({
      camera_id,
      seconds: 450,
      bytes: 60_000_000,
      ...of(camera_id),
    })),
  }));

beforeEach(() => {
  onSelection.mockClear();
  onClose.mockClear();
  estimating();
  added = answer(exportRoutes.add, ({ body }) => ({
    results: (body as ExportFields).cameras.map((camera_id) => unfinished({ camera_id })),
  }));
  answer(exportRoutes.list, { count: 1, results: [unfinished()] });
  const cameras = [aCamera({ ...gate, may_play: true }), aCamera({ ...yard, may_play: true })];
  const locked = aCamera({ id: '66666666-6666-4666-8666-666666666666', name: 'Safe' });
  answer(cameraRoutes.list, { count: 3, results: [...cameras, locked] });
});

const dialogOf = (cameras = [gate], selected: Period | null = selection) => (
  <ExportDialog
    cameras={cameras}
    selection={selected}
    onSelection={onSelection}
    onClose={onClose}
  />
);

async function open(cameras = [gate], selected: Period | null = selection) {
  const { rerender } = renderPart(dialogOf(cameras, selected));
  const dialog = within(await screen.findByRole('dialog', { name: 'Export recordings' }));
  const start = () => userEvent.click(dialog.getByRole('button', { name: 'Start export' }));
  return { dialog, rerender, start, person: userEvent.setup() };
}

/** jsdom writes milliseconds that browsers leave out. */
const shownIn = (field: HTMLElement): string =>
  (field as HTMLInputElement).value.replace(/\.000$/, '');
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

test('the period of the handles is shown to the second, with how much it is, and exported', async () => {
  const { dialog, start } = await open();
  expect(shownIn(dialog.getByLabelText(/^From/))).toBe('03/04/2026 12:00:00');
  expect(shownIn(dialog.getByLabelText(/^Until/))).toBe('03/04/2026 12:07:30');
  expect(await dialog.findByText('0:07:30 recorded, about 60 MB')).toBeInTheDocument();
  await start();
  expect(await dialog.findByText(/^1 export was started\./)).toBeInTheDocument();
  expect(added.map(({ body }) => body)).toEqual([
    { cameras: [gate.id], from: at(0), until: at(450) },
  ]);
  expect(await dialog.findByText('Waiting')).toBeInTheDocument();
});

test('a period that is not over is refused before it is sent, with what to do', async () => {
  const sentence = 'The end is in the future. Choose an end up to now.';
  answer(exportRoutes.estimate, fieldRefusal({ until: [sentence] }));
  const { dialog } = await open();
  expect(await dialog.findByText(sentence)).toBeInTheDocument();
  expect(added).toEqual([]);
});

test('typing moves the handles, and moving a handle types', async () => {
  const { dialog, rerender } = await open();
  type(dialog.getByLabelText(/^From/), '03/04/2026 11:59:58');
  expect(onSelection).toHaveBeenLastCalledWith({ ...selection, fromMs: noon - 2000 });
  const moved = { fromMs: noon + 60_400, untilMs: noon + 90_400 };
  rerender(dialogOf([gate], moved));
  expect(shownIn(dialog.getByLabelText(/^From/))).toBe('03/04/2026 12:01:00');
  expect(shownIn(dialog.getByLabelText(/^Until/))).toBe('03/04/2026 12:01:31');
});

test('an impossible export is reported at its field, nothing is sent, and nothing typed is lost', async () => {
  const { dialog, start } = await open();
  const until = dialog.getByLabelText(/^Until/);
  type(until, '03/04/2026 11:59:59');
  expect(until).toHaveAccessibleDescription('The end must be after the beginning.');
  type(until, '03/05/2026 13:00:00');
  expect(until).toHaveAccessibleDescription('Choose at most 24 hours at once.');
  await start();
  expect(shownIn(until)).toBe('03/05/2026 13:00:00');
  expect(onSelection).not.toHaveBeenCalled();
  type(until, '');
  expect(until).toHaveAccessibleDescription('Enter a date and time.');
  await start();
  expect(added).toHaveLength(0);
  type(until, '03/05/2026 12:00:00');
  expect(until).toBeValid();
  await start();
  await waitFor(() => expect(added).toHaveLength(1));
});

test('without a selection both moments are asked for once it is sent', async () => {
  const { dialog, start } = await open([gate], null);
  const from = dialog.getByLabelText(/^From/);
  expect(from).toHaveValue('');
  expect(from).not.toHaveAccessibleDescription();
  await start();
  expect(from).toHaveAccessibleDescription('Enter a date and time.');
  expect(added).toHaveLength(0);
});

test('an export of nothing is refused before it is made', async () => {
  estimating(() => ({ seconds: 0, bytes: 0 }));
  const { dialog, start } = await open();
  expect(
    await dialog.findByText(/^Nothing was recorded in this period\. Choose/),
  ).toBeInTheDocument();
  await start();
  expect(added).toHaveLength(0);
});

test('a camera that recorded nothing is left out, and a masked one has no size beforehand', async () => {
  const masked = { id: '77777777-7777-4777-8777-777777777777', name: 'Hall' };
  estimating((id) => {
    if (id === yard.id) return { seconds: 0, bytes: 0 };
    return id === masked.id ? { bytes: null } : {};
  });
  const { dialog, start } = await open([gate, yard, masked]);
  expect(await dialog.findByText('Nothing recorded in this period')).toBeInTheDocument();
  expect(dialog.getByText('0:07:30 recorded, with privacy masks applied')).toBeInTheDocument();
  expect(dialog.getByText('All cameras: 0:15:00, more than 60 MB')).toBeInTheDocument();
  await start();
  expect(await dialog.findByText(/^2 exports were started\./)).toBeInTheDocument();
  expect(added[0]!.body).toMatchObject({ cameras: [gate.id, masked.id] });
});

test('cameras are added by name, those alone whose recordings one may see', async () => {
  const { dialog, start, person } = await open();
  await person.click(dialog.getByRole('button', { name: 'Add camera' }));
  const others = await dialog.findByRole('list', { name: 'Other cameras' });
  await waitFor(() => expect(within(others).getAllByRole('button')).toHaveLength(1));
  await person.click(within(others).getByRole('button', { name: 'Add Yard' }));
  expect(await dialog.findByText('No other cameras found')).toBeInTheDocument();
  expect(await dialog.findByText('All cameras: 0:15:00, about 120 MB')).toBeInTheDocument();
  await start();
  await waitFor(() => expect(added[0]?.body).toMatchObject({ cameras: [gate.id, yard.id] }));
});

test('at least one camera, and at most sixteen', async () => {
  const many = Array.from({ length: 17 }, (_, index) => ({
    id: `88888888-8888-4888-8888-${String(index).padStart(12, '0')}`,
    name: `Camera ${index}`,
  }));
  const { dialog, start, person } = await open(many);
  expect(dialog.getByText('Choose at most 16 cameras.')).toBeInTheDocument();
  await start();
  await person.click(dialog.getByRole('button', { name: 'Remove Camera 3 from the export' }));
  expect(dialog.queryByText('Choose at most 16 cameras.')).toBeNull();
  for (const button of dialog.getAllByRole('button', { name: /^Remove/ }))
    await person.click(button);
  expect(dialog.getByText('Choose at least one camera.')).toBeInTheDocument();
  await start();
  expect(added).toHaveLength(0);
});

test('a refusal is shown, and nothing is lost', async () => {
  const refused = "You can't see this camera, or it doesn't exist.";
  answer(exportRoutes.add, refusal(404, 'camera_not_found', refused));
  const { dialog, start } = await open();
  type(dialog.getByLabelText(/^Until/), '03/04/2026 12:01:00');
  await start();
  expect(await dialog.findByRole('alert')).toHaveTextContent(refused);
  expect(shownIn(dialog.getByLabelText(/^Until/))).toBe('03/04/2026 12:01:00');
});

test('an estimate that cannot be had hinders nothing', async () => {
  answer(exportRoutes.estimate, refusal(500, 'internal', 'Something went wrong.'));
  const { dialog, start } = await open();
  await start();
  expect(await dialog.findByText(/^1 export was started\./)).toBeInTheDocument();
});
