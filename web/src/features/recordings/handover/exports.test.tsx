/** The list of exports: what each shows, saving by ticket, cancelling, deleting, and how to verify. */
import { exportRoutes } from '@nazar/contract/exports.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { everySentence } from '#testing/every-sentence.ts';
import { aGuard, anExport, gate, renderPart, unfinished } from '#testing/handover.tsx';
import { answer, refusal } from '#testing/server.ts';
import { Exports } from './exports.tsx';

beforeAll(everySentence);
afterEach(() => vi.restoreAllMocks());

const rows = async () => (await screen.findAllByRole('listitem')).map((row) => within(row));

test('each export is listed with its camera, its state and why it failed', async () => {
  const asked = answer(exportRoutes.list, {
    count: 4,
    results: [
      unfinished(),
      unfinished({ status: 'running', progress: 0.42 }),
      anExport({ masked: true }),
      unfinished({ status: 'failed', fault: 'codec_changed', expires_at: anExport().expires_at }),
    ],
  });
  renderPart(<Exports camera={gate} />);
  const [waiting, running, done, failed] = await rows();
  expect(waiting!.getByText('Waiting')).toBeInTheDocument();
  expect(waiting!.getByText(/^Requested by Aysel Quliyeva, /)).toBeInTheDocument();
  expect(running!.getByRole('progressbar', { name: 'Progress of the export of Вход' })).toHaveValue(
    0.42,
  );
  expect(running!.getByText('42%')).toBeInTheDocument();
  expect(done!.getByText(/^123 MB, 0:07:30 of video\. Available until /)).toBeInTheDocument();
  expect(done!.getByText('Privacy masks applied')).toBeInTheDocument();
  expect(failed!.getByText(/^The camera changed its video format/)).toBeInTheDocument();
  expect(failed!.queryByRole('button', { name: /^Download/ })).toBeNull();
  expect(asked[0]!.url.searchParams.get('camera')).toBe(gate.id);
  expect(asked[0]!.url.searchParams.get('page_size')).toBe('10');
});

test('progress is asked for while one is made, and the pace says how long it still takes', async () => {
  let progress = 0.1;
  const asked = answer(exportRoutes.list, () => ({
    count: 1,
    results: [unfinished({ id: gate.id, status: 'running', progress: (progress += 0.1) })],
  }));
  renderPart(<Exports />);
  expect(await screen.findByText('20%')).toBeInTheDocument();
  expect(await screen.findByText(/^\d0%, about \d+ sec left$/)).toBeInTheDocument();
  expect(asked.length).toBeGreaterThan(2);
});

test('~REC-010 a ready export is saved by a ticket alone', async () => {
  const made = anExport();
  answer(exportRoutes.list, { count: 1, results: [made] });
  const address = '/secure-api/recordings/exports/download/?ticket=once';
  const tickets = answer(exportRoutes.ticket, {
    ticket: 'once',
    expires_at: made.created_at,
    address,
  });
  const saved: (string | null)[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.getAttribute('href'));
  });
  renderPart(<Exports />, aGuard());
  await userEvent.click(await screen.findByRole('button', { name: 'Download export of Вход' }));
  await waitFor(() => expect(saved).toEqual([address]));
  expect(tickets[0]!.params).toEqual({ id: made.id });
  expect(screen.getByText(/^Requested \w/)).toBeInTheDocument();
});

test('a refused download says why, and may be tried again', async () => {
  answer(exportRoutes.list, { count: 1, results: [anExport()] });
  const refused = "This camera has privacy masks, and you can't see what they hide.";
  answer(exportRoutes.ticket, refusal(403, 'camera_masked', refused));
  renderPart(<Exports />, aGuard());
  const button = await screen.findByRole('button', { name: 'Download export of Вход' });
  await userEvent.click(button);
  expect(await screen.findByRole('alert')).toHaveTextContent(refused);
  expect(button).toBeEnabled();
});

test('C-408 how to verify it stands with its hash and the command, both to be copied', async () => {
  const made = anExport({ masked: true });
  answer(exportRoutes.list, { count: 1, results: [made] });
  const person = userEvent.setup();
  renderPart(<Exports />);
  await person.click(await screen.findByRole('button', { name: /^How to verify the export/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Verify this export' }));
  expect(dialog.getByLabelText('SHA-256')).toHaveValue(made.sha256);
  expect(dialog.getByLabelText('Check it with this command')).toHaveValue(
    'npm run recordings -- verify-export Вход-20260304T120000Z.mp4',
  );
  expect(dialog.getByText(/even one byte/)).toBeInTheDocument();
  expect(dialog.getByText(/video was encoded again/)).toBeInTheDocument();
  await person.click(dialog.getAllByRole('button', { name: 'Copy' })[0]!);
  expect(await dialog.findByText('Copied')).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toBe(made.sha256);
});

test('an export says what was encoded again and what could not be, and one that is a copy says neither', async () => {
  const cut = anExport({ id: gate.id, encoded_seconds: 1.2, left_out_seconds: 3.2 });
  answer(exportRoutes.list, { count: 2, results: [cut, anExport()] });
  const person = userEvent.setup();
  renderPart(<Exports />);
  const [left, whole] = await rows();
  expect(left!.getByText(/^About 4 sec of this period isn't in the file/)).toBeInTheDocument();
  expect(whole!.queryByText(/isn't in the file/)).toBeNull();
  const details = async (at: number) => {
    const buttons = screen.getAllByRole('button', { name: /^How to verify the export/ });
    await person.click(buttons[at]!);
    return within(await screen.findByRole('dialog', { name: 'Verify this export' }));
  };
  expect((await details(0)).getByText(/The rest is an exact copy/)).toBeInTheDocument();
  await person.keyboard('{Escape}');
  const dialog = await details(1);
  expect(dialog.getByText(/even one byte/)).toBeInTheDocument();
  expect(dialog.queryByText(/The rest is an exact copy/)).toBeNull();
});

test('one that is being made is cancelled at once; a ready one is deleted after a question', async () => {
  let left = [unfinished({ camera_name: 'Yard' }), anExport()];
  const [waiting, done] = left;
  answer(exportRoutes.list, () => ({ count: left.length, results: left }));
  const removed = answer(exportRoutes.remove, ({ params }) => {
    left = left.filter(({ id }) => id !== params['id']);
  });
  renderPart(<Exports />);
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel export of Yard' }));
  await waitFor(() => expect(screen.queryByText('Yard')).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Delete export of Вход' }));
  const question = within(await screen.findByRole('alertdialog'));
  expect(question.getByText(/^Вход-20260304T120000Z\.mp4 is deleted/)).toBeInTheDocument();
  expect(removed).toHaveLength(1);
  await userEvent.click(question.getByRole('button', { name: 'Delete export' }));
  expect(await screen.findByText('No exports yet')).toBeInTheDocument();
  expect(removed.map(({ params }) => params['id'])).toEqual([waiting!.id, done!.id]);
});

test('a refused deletion says so in its question, and the export stays', async () => {
  answer(exportRoutes.list, { count: 1, results: [anExport()] });
  answer(exportRoutes.remove, refusal(500, 'internal', 'Something went wrong.'));
  renderPart(<Exports />);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete export of Вход' }));
  const question = within(await screen.findByRole('alertdialog'));
  await userEvent.click(question.getByRole('button', { name: 'Delete export' }));
  expect(await question.findByText('Something went wrong.')).toBeInTheDocument();
  await userEvent.click(question.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByText('Ready')).toBeInTheDocument();
});

test('exports are paged by the server', async () => {
  const asked = answer(exportRoutes.list, ({ url }) => ({
    count: 21,
    results: [anExport({ camera_name: `Page ${url.searchParams.get('page')}` })],
  }));
  renderPart(<Exports />);
  await userEvent.click(await screen.findByRole('button', { name: 'Page 3' }));
  expect(await screen.findByText('Page 3')).toBeInTheDocument();
  expect(asked.at(-1)!.url.searchParams.get('page')).toBe('3');
});

test('deleting the last export of the last page shows the page before it', async () => {
  const all = Array.from({ length: 11 }, (_, index) =>
    anExport({ camera_name: `Camera ${index}` }),
  );
  answer(exportRoutes.list, ({ url }) => {
    const from = (Number(url.searchParams.get('page')) - 1) * 10;
    return { count: all.length, results: all.slice(from, from + 10) };
  });
  answer(exportRoutes.remove, () => void all.pop());
  renderPart(<Exports />);
  await userEvent.click(await screen.findByRole('button', { name: 'Page 2' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete export of Camera 10' }));
  const question = within(await screen.findByRole('alertdialog'));
  await userEvent.click(question.getByRole('button', { name: 'Delete export' }));
  expect(await screen.findByText('Camera 9')).toBeInTheDocument();
  expect(screen.queryByText('No exports yet')).toBeNull();
});

test('exports that cannot be loaded say so and may be asked again; what was there stays with its age', async () => {
  answer(exportRoutes.list, refusal(500, 'internal', 'Something went wrong.'));
  renderPart(<Exports />);
  expect(await screen.findByText("The exports couldn't be loaded")).toBeInTheDocument();
  answer(exportRoutes.list, { count: 1, results: [unfinished()] });
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Waiting')).toBeInTheDocument();
  answer(exportRoutes.list, refusal(500, 'internal', 'Something went wrong.'));
  expect(await screen.findByText(/^Showing cached data from /)).toBeInTheDocument();
  expect(screen.getByText('Waiting')).toBeInTheDocument();
});
