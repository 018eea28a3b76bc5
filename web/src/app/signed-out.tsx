/** The pages before the sign-in and beside it: few addresses, no shell, no router. */
import { useEffect, useState, type ComponentType } from 'react';
import { onReach } from '#lib/address.ts';
import { needSentences } from '#lib/i18n.ts';
import { Boundary } from './page-broken.tsx';
import { Checking } from './start-screens.tsx';

type Page = ComponentType;
type Loader = () => Promise<Page>;

const page =
  (part: string, load: Loader): Loader =>
  async () => {
    const [loaded] = await Promise.all([load(), needSentences(part)]);
    return loaded;
  };

const pages = {
  '/login': page('login-page', async () => {
    return (await import('#features/login/login-page.tsx')).LoginPage;
  }),
  '/register': page('register-page', async () => {
    return (await import('#features/register/register-page.tsx')).RegisterPage;
  }),
  '/forgot-password': page('forgot-page', async () => {
    return (await import('#features/recovery/forgot-page.tsx')).ForgotPage;
  }),
  '/reset-password': page('reset-page', async () => {
    return (await import('#features/recovery/reset-page.tsx')).ResetPage;
  }),
  '/setup': page('setup-page', async () => {
    return (await import('#features/setup/setup-page.tsx')).SetupPage;
  }),
};

export type SignedOutPath = keyof typeof pages;
export const isSignedOutPath = (path: string): path is SignedOutPath => Object.hasOwn(pages, path);

/** Pages that are here already are drawn at once. */
const ready = new Map<SignedOutPath, Page>();

async function loadPage(path: SignedOutPath): Promise<Page> {
  const loaded = await pages[path]();
  ready.set(path, loaded);
  return loaded;
}

/** Loads a page ahead: while the session is checked, or when the reader is about to follow a link. */
export const preloadSignedOut = (path: SignedOutPath): void => {
  // A failure is reported where the page is shown.
  loadPage(path).catch(() => undefined);
};

onReach((path) => {
  if (isSignedOutPath(path)) preloadSignedOut(path);
});

/** The page before does not stay meanwhile: what is typed into it would be lost. */
function Loaded({ path }: { path: SignedOutPath }) {
  // As a function: a component is one, and would be called.
  const [Page, setPage] = useState<Page | undefined>(() => ready.get(path));
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    let isCurrent = true;
    loadPage(path).then(
      (loaded) => isCurrent && setPage(() => loaded),
      (error: unknown) => isCurrent && setFailure(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [path]);
  if (failure !== null) throw failure;
  return Page === undefined ? <Checking /> : <Page />;
}

export function SignedOut({ path }: { path: SignedOutPath }) {
  return (
    <Boundary>
      <Loaded key={path} path={path} />
    </Boundary>
  );
}
