import { LoaderCircle } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';

/** A turning ring, silent: what waits says so itself. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={cx('size-4 animate-spin', className)} />;
}

/** A whole area that waits, said aloud once. */
export function Waiting({ className }: { className?: string }) {
  const { t } = useTranslation();
  return (
    <output className={cx('grid place-items-center p-8 text-muted', className)}>
      <Spinner className="size-6" />
      <span className="sr-only">{t('ui.loading')}</span>
    </output>
  );
}
