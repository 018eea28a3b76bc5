/** The parts together: what is selected goes to an export or a hold, and who may not is offered neither. */
import { bookmarkRoutes } from '@nazar/contract/bookmarks.ts';
import { exportRoutes } from '@nazar/contract/exports.ts';
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { User } from '@nazar/contract/accounts.ts';
import { see } from '#api/see-as.ts';
import { signal } from '#lib/signal.ts';
import { aUser } from '#testing/builders.ts';
import { everySentence } from '#testing/every-sentence.ts';
import { aBookmark, aGuard, anExport, at, gate, noon, renderPart } from '#testing/handover.tsx';
import { answer, type Seen } from '#testing/server.ts';
import { Handover, type HandoverProps } from './handover.tsx';
import type { Period } from './period.ts';

beforeAll(everySentence);
afterEach(() => see(null));

let exportsAsked: Seen[];

beforeEach(() => {
  answer(bookmarkRoutes.list, { count: 1, results: [aBookmark()] });
  answer(recordingRoutes.holds, { count: 0, results: [] });
  answer(exportRoutes.estimate, { results: [{ camera_id: gate.id, seconds: 60, bytes: 1e6 }] });
  exportsAsked = answer(exportRoutes.list, { count: 1, results: [anExport()] });
});

function Page({
  shown,
  recording,
  listed,
}: {
  shown: number | null;
  recording: HandoverProps['recording'];
  listed: HandoverProps['listed'];
}) {
  const [selection, onSelection] = useState<Period | null>(null);
  const [playback] = useState(() => ({ momentMs: signal(shown), shownMs: signal(shown) }));
  return (
    <Handover
      camera={gate}
      playback={playback}
      recording={recording}
      listed={listed}
      selection={selection}
      onSelection={onSelection}
      onSeek={() => undefined}
    />
  );
}

function open(
  user: User,
  shown: number | null = noon,
  recording: HandoverProps['recording'] = null,
  listed: HandoverProps['listed'] = [],
) {
  renderPart(<Page shown={shown} recording={recording} listed={listed} />, user);
  const press = async (name: string) =>
    userEvent.click(await screen.findByRole('button', { name }));
  return { press };
}

test('a period round the moment that is shown is selected, exported as it stands, and cleared', async () => {
  const { press } = open(aGuard());
  await press('Select a period');
  expect(screen.getByText(/11:59:30 – 12:00:30$/)).toBeInTheDocument();
  await press('Export...');
  const dialog = within(await screen.findByRole('dialog', { name: 'Export recordings' }));
  expect(dialog.getByLabelText<HTMLInputElement>(/^From/).value).toMatch(/ 11:59:30$/);
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await press('Clear the selected period');
  expect(screen.getByRole('button', { name: 'Select a period' })).toBeEnabled();
});

test('without a selection it is the selected recording that is handed over', async () => {
  const { press } = open(aUser(), null, { startTime: at(0), endTime: at(90) });
  expect(await screen.findByRole('button', { name: 'Select a period' })).toBeDisabled();
  await press('Holds...');
  const dialog = within(await screen.findByRole('dialog', { name: 'Hold recordings of Вход' }));
  expect(dialog.getByLabelText<HTMLInputElement>(/^Until/).value).toMatch(/ 12:01:30$/);
});

test('where none is selected it is the recording that plays, and beside all recordings what is shown', async () => {
  const listed = [
    { startTime: at(-600), endTime: at(-300) },
    { startTime: at(-20), endTime: at(100) },
  ];
  const { press } = open(aGuard(), noon, null, listed);
  await press('Export...');
  const dialog = within(await screen.findByRole('dialog', { name: 'Export recordings' }));
  const typed = (name: RegExp) => dialog.getByLabelText<HTMLInputElement>(name).value;
  expect([typed(/^From/), typed(/^Until/)]).toEqual([
    expect.stringMatching(/ 11:59:40$/),
    expect.stringMatching(/ 12:01:40$/),
  ]);
  cleanup();
  open(aGuard(), noon + 200_000, null, listed);
  await press('Export...');
  const beside = within(await screen.findByRole('dialog', { name: 'Export recordings' }));
  const value = (name: RegExp) => beside.getByLabelText<HTMLInputElement>(name).value;
  expect([value(/^From/), value(/^Until/)]).toEqual([
    expect.stringMatching(/ 12:02:50$/),
    expect.stringMatching(/ 12:03:50$/),
  ]);
});

test('exports of the camera stand beside its bookmarks; holds are for administrators', async () => {
  open(aGuard());
  expect(await screen.findByText('A parcel')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Holds...' })).toBeNull();
  await userEvent.click(screen.getByRole('tab', { name: 'Exports' }));
  expect(await screen.findByText('Ready')).toBeInTheDocument();
  expect(exportsAsked[0]!.url.searchParams.get('camera')).toBe(gate.id);
});

test('a user who sees as another reads the bookmarks and is offered nothing the server refuses', async () => {
  see({ id: aGuard().id, name: 'Guard' });
  open(aUser());
  expect(await screen.findByText('A parcel')).toBeInTheDocument();
  const names = screen.getAllByRole('button').map((one) => one.getAttribute('aria-label'));
  expect(names).toHaveLength(1);
  expect(names[0]).toMatch(/^Show /);
  expect(screen.queryByRole('tab')).toBeNull();
  expect(exportsAsked).toHaveLength(0);
});

test('a recording that goes on moves nothing that is typed', async () => {
  const going = { startTime: at(0), endTime: null };
  const { press } = open(aGuard(), noon, going);
  await press('Export...');
  const dialog = within(await screen.findByRole('dialog', { name: 'Export recordings' }));
  const until = dialog.getByLabelText<HTMLInputElement>(/^Until/);
  fireEvent.change(until, { target: { value: '' } });
  const from = dialog.getByLabelText<HTMLInputElement>(/^From/);
  fireEvent.change(from, { target: { value: '03/04/2026 12:00:05' } });
  expect(until.value).toBe('');
});
