/** What stands round every page behind the sign-in: sidebar, header, and the way past both. */
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { changePreferences, usePreferences, useSession } from '#api/session.ts';
import { cx } from '#lib/class-names.ts';
import { LanguageMenu } from '#parts/language-menu.tsx';
import { Logo } from '#parts/logo.tsx';
import { ThemeButton } from '#parts/theme-button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Bell } from './bell.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { onDemand } from '#lib/on-demand.tsx';
import { Drawer } from './drawer.tsx';
import { IdleWarning } from './idle-warning.tsx';
import { SeeAsBanner } from './see-as-banner.tsx';
import { Sidebar } from './sidebar.tsx';

/** Nothing is typed before the page stands. */
const { Component: UnsavedGuard } = onDemand<object>(
  async () => (await import('./unsaved-guard.tsx')).UnsavedGuard,
);

/** A new page starts at its content: keyboard and screen reader go where the eye goes. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  // What follows in the path opens over the same page, and takes care of the focus itself.
  const path = useRouterState({ select: (state) => state.location.pathname.split('/')[1] });
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}

function Frame() {
  const { t } = useTranslation();
  const main = useFocusOnNavigation();
  const collapsed = usePreferences().sidebar_collapsed;
  return (
    <div
      className={cx(
        'min-h-dvh md:grid',
        collapsed ? 'md:grid-cols-[60px_minmax(0,1fr)]' : 'md:grid-cols-[250px_minmax(0,1fr)]',
      )}
    >
      <a
        href="#main"
        className="sr-only z-50 rounded-control bg-primary px-4 py-2 text-white focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t('nav.skip')}
      </a>
      <aside className="sticky top-0 z-30 hidden h-dvh border-r border-line bg-surface md:block">
        <Sidebar
          collapsed={collapsed}
          onToggle={() => void changePreferences({ sidebar_collapsed: !collapsed })}
        />
      </aside>
      <div className="flex min-w-0 flex-col">
        <header className="sticky top-0 z-20 flex h-14 items-center gap-1 border-b border-line bg-surface px-4 md:px-6">
          <Drawer />
          <span className="flex items-center gap-2 text-section font-semibold tracking-tight md:hidden">
            <Logo size={26} />
            {t('product')}
          </span>
          <div className="ml-auto flex items-center gap-1">
            <LanguageMenu />
            <ThemeButton />
            <Bell />
            <AccountMenu />
          </div>
        </header>
        <SeeAsBanner />
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-[1600px] flex-1 p-4 outline-none has-data-full-bleed:max-w-none has-data-full-bleed:p-2 md:p-6 md:has-data-full-bleed:p-2"
        >
          <Outlet />
        </main>
      </div>
      <ConnectionBanner />
      <IdleWarning />
      <UnsavedGuard />
    </div>
  );
}

export function Shell() {
  // The guards run a moment after the session ends: nothing of it is drawn meanwhile.
  return useSession().kind === 'in' ? <Frame /> : null;
}
