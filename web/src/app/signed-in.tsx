/** Everything behind the sign-in: the router, what the server said, and its news. */
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider, createBrowserHistory } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { onMustEnrol } from '#api/call.ts';
import { forgetAnswers } from '#api/kept-answers.ts';
import { forgetMedia } from '#api/media.ts';
import { spread } from '#api/news.ts';
import { makeQueryClient } from '#api/query.ts';
import { keepTimeZone } from '#api/session.ts';
import { seeing } from '#api/see-as.ts';
import { followAddress } from '#lib/address.ts';
import { onDemand } from '#lib/on-demand.tsx';
import type { FollowingProps } from './following.tsx';
import { makeRouter } from './router.tsx';

/** What the news take comes after the page, which has just been asked for anyway. */
const { Component: Following } = onDemand<FollowingProps>(
  async () => (await import('./following.tsx')).Following,
);

/** One for all sessions of this tab: it wraps the browser's own, and says what has changed it. */
const history = createBrowserHistory();

export function SignedIn() {
  const [client] = useState(makeQueryClient);
  const [router] = useState(() => makeRouter(history));
  useEffect(
    () => () => {
      // Nothing of one account is left for the next.
      client.clear();
      forgetMedia();
      forgetAnswers();
    },
    [client],
  );
  useEffect(
    () =>
      seeing.subscribe(() => {
        // What one sees, another may not: nothing of the one is left for the other.
        client.clear();
        forgetMedia();
        forgetAnswers();
      }),
    [client],
  );
  // The router writes the address a moment after it says so.
  useEffect(() => router.subscribe('onResolved', followAddress), [router]);
  // Whatever was asked for, the set-up of a second factor comes first.
  useEffect(() => onMustEnrol(() => void router.navigate({ to: '/security' })), [router]);
  useEffect(keepTimeZone, []);
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
      <Following spread={spread} />
    </QueryClientProvider>
  );
}
