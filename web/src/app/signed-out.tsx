/** The pages before the sign-in and beside it: few addresses, no shell, no router. */
import { Component, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { needSentences } from '#lib/i18n.ts';
import { Checking, PageBroken } from './start-screens.tsx';

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

/** Loads a page ahead: who is signed in is asked at the same time. */
export const preloadSignedOut = (path: SignedOutPath): void => {
  // A failure is told where the page is shown.
  pages[path]().catch(() => undefined);
};

interface BoundaryProps {
  children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  override render() {
    if (!this.state.broken) return this.props.children;
    return <PageBroken reset={() => this.setState({ broken: false })} />;
  }
}

interface Shown {
  readonly path: SignedOutPath;
  readonly Page: Page;
}

/** The page that was shown stays until the next one is here. */
function Loaded({ path }: { path: SignedOutPath }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    let isCurrent = true;
    pages[path]().then(
      (Page) => isCurrent && setShown({ path, Page }),
      (error: unknown) => isCurrent && setFailure(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [path]);
  if (failure !== null) throw failure;
  if (shown === null) return <Checking />;
  const { Page } = shown;
  return <Page key={shown.path} />;
}

export function SignedOut({ path }: { path: SignedOutPath }) {
  return (
    <Boundary>
      <Loaded path={path} />
    </Boundary>
  );
}
