/** The application: which pages are shown, by the address and by who is signed in. */
import { Suspense, lazy, useEffect } from 'react';
import { useSession, type Session } from '#api/session.ts';
import { accessToken } from '#api/tokens.ts';
import { keepLink, linkIn } from '#features/recovery/link.ts';
import { address, go, pathOf } from '#lib/address.ts';
import { useSignal } from '#lib/signal.ts';
import { needSentences } from '#lib/i18n.ts';
import { placeOf, redirectFrom } from './guards.ts';
import { Boundary } from './page-broken.tsx';
import { SignedOut, isSignedOutPath, preloadSignedOut } from './signed-out.tsx';
import { Checking, Unreachable } from './start-screens.tsx';

/** The router, the shell and what they need are loaded only for users who are signed in. */
const loadSignedIn = async () => {
  const [loaded] = await Promise.all([import('./signed-in.tsx'), needSentences('signed-in')]);
  return { default: loaded.SignedIn };
};
/** A check in progress, or no answer, redirects no reader; these kinds of session do. */
const guards: ReadonlySet<Session['kind']> = new Set(['in', 'out', 'setup']);

const SignedIn = lazy(loadSignedIn);

/** Loads what will most likely be shown while the server is asked who is signed in. */
export function preload(): void {
  const path = pathOf(address.get());
  if (isSignedOutPath(path)) preloadSignedOut(path);
  else if (accessToken() === null) preloadSignedOut('/login');
  // A failure is reported where it is shown.
  else loadSignedIn().catch(() => undefined);
}

/** Where the address has to change to; null: it may stay. */
function useRedirect(at: string, now: Session): string | null {
  const found = linkIn(at);
  const guarded = guards.has(now.kind) ? redirectFrom(placeOf(pathOf(found?.to ?? at)), now) : null;
  const to = guarded ?? found?.to ?? null;
  useEffect(() => {
    if (found !== null) keepLink(found.link);
    if (to !== null) go(to, { replace: true });
    // oxlint-disable-next-line react/exhaustive-deps -- what is found follows from the address
  }, [at, to]);
  return to;
}

export function App() {
  const now = useSession();
  const at = useSignal(address);
  const to = useRedirect(at, now);
  const path = pathOf(at);
  if (now.kind === 'unreachable') return <Unreachable unanswered={now} />;
  if (now.kind === 'checking' || to !== null) return <Checking />;
  if (isSignedOutPath(path)) return <SignedOut path={path} />;
  return (
    // Code that failed to load is asked for again only by a page that begins anew.
    <Boundary again={() => location.reload()}>
      <Suspense fallback={<Checking />}>
        <SignedIn />
      </Suspense>
    </Boundary>
  );
}
