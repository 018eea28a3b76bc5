/** The application: providers, and what stands on the screen before anybody knows who is signed in. */
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { onMustEnrol } from '#api/call.ts';
import { forgetMedia } from '#api/media.ts';
import { makeQueryClient } from '#api/query.ts';
import { seeing } from '#api/see-as.ts';
import { useSession } from '#api/session.ts';
import { useFollowNews } from './live.ts';
import { makeRouter } from './router.tsx';
import { Checking, Unreachable } from './start-screens.tsx';

export function App() {
  const [client] = useState(makeQueryClient);
  const [router] = useState(() => makeRouter());
  const now = useSession();
  const { kind } = now;

  useEffect(() => {
    if (kind === 'out') {
      // Nothing of one account is left for the next (SES-025).
      client.clear();
      forgetMedia();
    }
    // The guards look again, but only when there is an answer: a check in progress moves nobody.
    if (kind === 'out' || kind === 'in' || kind === 'setup') void router.invalidate();
  }, [kind, client, router]);
  useEffect(
    () =>
      seeing.subscribe(() => {
        // What one sees, another may not: nothing of the one is left for the other.
        client.clear();
        forgetMedia();
      }),
    [client],
  );
  // C-110: whatever was asked for, the set-up of a second factor comes first.
  useEffect(() => onMustEnrol(() => void router.navigate({ to: '/security' })), [router]);
  useFollowNews(client, kind === 'in');

  if (kind === 'checking') return <Checking />;
  if (now.kind === 'unreachable') return <Unreachable unanswered={now} />;
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
