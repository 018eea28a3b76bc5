/** The system log stands for all that is deleted so: visits go by the same dialog (analytics.test.tsx). */
import type { Deletion } from '@nazar/contract/visit-deletion.ts';
import { systemLogRoutes } from '@nazar/contract/system-logs.ts';
import { savedSearchRoutes } from '@nazar/contract/saved-searches.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { anId, aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';
import { useDeleteAll } from './use-delete-all.ts';

const as_of = '2026-03-04T06:00:00.000Z';
const line = {
  id: anId(),
  level: 'error' as const,
  message: 'camera went away',
  source: 'media',
  user: null,
  user_name: '',
  timestamp: as_of,
  repeats: 1,
  last_at: as_of,
  details: {},
};

interface Sent {
  count_only: boolean;
  as_of?: string;
}

beforeEach(() => {
  answer(systemLogRoutes.list, { count: 1, more: false, results: [line] });
  answer(systemLogRoutes.stats, []);
  answer(userRoutes.list, { count: 0, results: [] });
  answer(savedSearchRoutes.list, { results: [] });
});

/** Batches that the test lets through one by one; `n` is that of the batch, from 1. */
function batches(reply: (n: number) => Promise<Response | { deleted: number; left: number }>) {
  const sent: Sent[] = [];
  answer(systemLogRoutes.removeMany, async ({ body }) => {
    if ((body as Sent).count_only) return { deleted: 0, left: 3000, as_of };
    const answered = await reply(sent.push(body as Sent));
    return answered instanceof Response ? answered : { ...answered, as_of };
  });
  return sent;
}

async function confirmed(): Promise<HTMLElement> {
  await renderApp({ path: '/activity-log?tab=analytics&panel=system', user: aUser() });
  await screen.findByRole('list', { name: 'System Logs' });
  await userEvent.click(screen.getByRole('button', { name: 'Mark All as Deleted' }));
  const dialog = await screen.findByRole('alertdialog');
  await within(dialog).findByText('3,000 entries will be marked as deleted.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Mark as deleted' }));
  return dialog;
}

test('~LDS-014 deleting all is stopped between two batches, and says what was deleted, no more and no less', async () => {
  const { promise: second, resolve: answerSecond } = Promise.withResolvers<void>();
  const sent = batches(async (n) => {
    if (n === 2) await second;
    return { deleted: 1000, left: 3000 - n * 1000 };
  });
  const dialog = await confirmed();
  expect(await within(dialog).findByText('Deleted so far: 1,000')).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Stop' }));
  expect(dialog).toHaveTextContent('Deleted so far: 1,000 Stopping after this step.');
  // Pressing again cannot close what still deletes.
  await userEvent.keyboard('{Escape}');
  expect(dialog).toBeVisible();
  answerSecond();
  expect(
    await screen.findByText('Stopped: 2,000 entries marked as deleted. The rest is unchanged.'),
  ).toBeVisible();
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(sent).toHaveLength(2);
});

test('after a failure it goes on with what is left, as of the first batch, and counts all that it deleted', async () => {
  const sent = batches((n) =>
    Promise.resolve(
      n === 2 ? refusal(500, 'internal', 'It broke.') : { deleted: 1000, left: n === 4 ? 0 : 1000 },
    ),
  );
  const dialog = await confirmed();
  expect(await within(dialog).findByRole('alert')).toBeVisible();
  expect(dialog).toHaveTextContent('Deleted so far: 1,000');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Mark as deleted' }));
  expect(await screen.findByText('3,000 entries marked as deleted')).toBeVisible();
  expect(sent.map((body) => body.as_of)).toEqual([undefined, as_of, as_of, as_of]);
});

test('leaving the page stops it, once the batch that was asked for is deleted', async () => {
  const { promise: first, resolve: answerFirst } = Promise.withResolvers<Deletion>();
  const removeMany = vi
    .fn<() => Promise<Deletion>>(() => Promise.resolve({ deleted: 0, left: 0, as_of }))
    .mockReturnValueOnce(first);
  const { result, unmount } = renderHook(() => useDeleteAll(removeMany, {}), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
    ),
  });
  act(() => result.current.start(() => undefined));
  await waitFor(() => expect(removeMany).toHaveBeenCalledTimes(1));
  unmount();
  answerFirst({ deleted: 1000, left: 2000, as_of });
  // Whatever would follow has begun when the next turn of the event loop comes.
  await new Promise((resolve) => setImmediate(resolve));
  expect(removeMany).toHaveBeenCalledTimes(1);
});
