import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';

/** Has the final geometry of what is coming. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div aria-hidden className={cx('animate-pulse rounded-control bg-surface-3', className)} />
  );
}

/** Quick answers shall not flash a skeleton. */
const PATIENCE_MS = 150;

/** Wraps skeletons: invisible for a moment, and says once that something is loading. */
export function Loading({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <output className="block">
      <span className="sr-only">{t('ui.loading')}</span>
      <div className={late ? undefined : 'invisible'}>{children}</div>
    </output>
  );
}
