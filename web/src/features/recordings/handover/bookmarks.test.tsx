/** Bookmarks: a moment is marked with a note, found again, shown and deleted; and as marks of a timeline. */
import { bookmarkRoutes } from '@nazar/contract/bookmarks.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, test, vi } from 'vitest';
import { signal } from '#lib/signal.ts';
import { everySentence } from '#testing/every-sentence.ts';
import { aBookmark, aGuard, at, gate, noon, renderPart } from '#testing/handover.tsx';
import { answer, refusal } from '#testing/server.ts';
import { Bookmarks } from './bookmarks.tsx';
import { useBookmarks } from './use-bookmarks.ts';

beforeAll(everySentence);

function open(shown: number | null = noon + 7000) {
  const shownMs = signal(shown);
  const onSeek = vi.fn<(momentMs: number) => void>();
  renderPart(<Bookmarks camera={gate} playback={{ shownMs }} onSeek={onSeek} />, aGuard());
  return { shownMs, onSeek, person: userEvent.setup() };
}

test('the moment shown when the user reached for it is marked, though playing goes on', async () => {
  const all = [aBookmark({ note: 'A dog', at: at(3) })];
  answer(bookmarkRoutes.list, () => ({ count: all.length, results: all }));
  const added = answer(bookmarkRoutes.add, () => {
    all.unshift(aBookmark());
    return all[0]!;
  });
  const { shownMs, person } = open();
  const button = await screen.findByRole('button', { name: 'Add bookmark' });
  await person.click(button);
  act(() => shownMs.set(noon + 9000));
  const note = screen.getByLabelText(/^Note for .*12:00:07/);
  expect(note).toHaveFocus();
  await person.keyboard('{Enter}');
  expect(note).toHaveAccessibleDescription(/^Enter a note\./);
  await person.keyboard('A parcel{Enter}');
  expect(await screen.findByText('A parcel')).toBeInTheDocument();
  expect(added.map(({ body, params }) => [params['id'], body])).toEqual([
    [gate.id, { at: at(7), note: 'A parcel' }],
  ]);
  expect(button).toHaveFocus();
});

test('without a picture there is no moment to mark', async () => {
  answer(bookmarkRoutes.list, { count: 0, results: [] });
  open(null);
  expect(await screen.findByText('No bookmarks yet')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Add bookmark' })).toBeDisabled();
});

test('a refused bookmark says why, and the note stays', async () => {
  answer(bookmarkRoutes.list, { count: 0, results: [] });
  const refused = 'Your account can hold at most 10,000 bookmarks.';
  answer(bookmarkRoutes.add, refusal(409, 'bookmarks_too_many', refused));
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: 'Add bookmark' }));
  await person.keyboard('A parcel{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(refused);
  expect(screen.getByLabelText(/^Note for/)).toHaveValue('A parcel');
});

test('a bookmark shows its moment; who may not delete it is not offered to', async () => {
  const asked = answer(bookmarkRoutes.list, {
    count: 12,
    results: [aBookmark(), aBookmark({ note: 'A dog', at: at(3), may_delete: false })],
  });
  const { onSeek, person } = open();
  await person.click(await screen.findByRole('button', { name: /^Show .*12:00:03: A dog/ }));
  expect(onSeek).toHaveBeenCalledWith(noon + 3000);
  expect(screen.getByRole('button', { name: 'Delete bookmark: A parcel' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Delete bookmark: A dog' })).toBeNull();
  expect(asked[0]!.url.searchParams.get('ordering')).toBe('-at');
  await person.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(asked.at(-1)!.url.searchParams.get('page')).toBe('2'));
});

test('a bookmark is deleted after a question', async () => {
  let all = [aBookmark()];
  const [first] = all;
  answer(bookmarkRoutes.list, () => ({ count: all.length, results: all }));
  const removed = answer(bookmarkRoutes.remove, () => void (all = []));
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: 'Delete bookmark: A parcel' }));
  const question = within(await screen.findByRole('alertdialog'));
  await person.click(question.getByRole('button', { name: 'Delete bookmark' }));
  expect(await screen.findByText('No bookmarks yet')).toBeInTheDocument();
  expect(removed.map(({ params }) => params['id'])).toEqual([first!.id]);
});

function Marks({ fromMs, untilMs }: { fromMs: number; untilMs: number }) {
  const marks = useBookmarks(gate.id, fromMs, untilMs);
  return <p>{marks.map(({ atMs, label }) => `${atMs - noon} ${label}`).join(', ')}</p>;
}

test('the timeline is given the marks of its time, and asks nothing anew while it is scrolled a little', async () => {
  const asked = answer(bookmarkRoutes.list, { count: 1, results: [aBookmark()] });
  const { rerender } = renderPart(<Marks fromMs={noon - 1000} untilMs={noon + 3_000_000} />);
  expect(await screen.findByText('7000 A parcel')).toBeInTheDocument();
  rerender(<Marks fromMs={noon - 60_000} untilMs={noon + 2_940_000} />);
  expect(screen.getByText('7000 A parcel')).toBeInTheDocument();
  const { searchParams } = asked[0]!.url;
  expect(Date.parse(searchParams.get('from')!)).toBeLessThanOrEqual(noon - 60_000);
  expect(Date.parse(searchParams.get('until')!)).toBeGreaterThanOrEqual(noon + 3_000_000);
  expect(asked).toHaveLength(1);
});
