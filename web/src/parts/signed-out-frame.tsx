/** What stands round login and set-up: no shell, only the sign, the language and the theme. */
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { LanguageMenu } from './language-menu.tsx';
import { Logo } from './logo.tsx';
import { ThemeButton } from './theme-button.tsx';

export function SignedOutFrame({
  wide = false,
  children,
}: {
  wide?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <div className="dawn flex min-h-dvh flex-col">
      <header className="flex h-14 items-center gap-2.5 px-4 md:px-6">
        <Logo />
        <span className="text-section font-semibold tracking-tight">{t('product')}</span>
        <div className="ml-auto flex items-center gap-1">
          <LanguageMenu />
          <ThemeButton />
        </div>
      </header>
      <main
        className={cx(
          'grid flex-1 justify-items-center px-4 pt-2 pb-16',
          // Steps of different length shall not jump: what is wide begins at the top.
          wide ? 'content-start sm:pt-[7vh]' : 'content-center',
        )}
      >
        <div className={cx('w-full', wide ? 'max-w-xl' : 'max-w-[25rem]')}>{children}</div>
      </main>
    </div>
  );
}
