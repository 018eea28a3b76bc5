import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { pageWindow } from '#lib/page-window.ts';
import { IconButton } from './icon-button.tsx';

export interface PaginationProps {
  page: number;
  pages: number;
  onPage: (page: number) => void;
}

/** Absent when there is only one page. */
export function Pagination({ page, pages, onPage }: PaginationProps) {
  const { t } = useTranslation();
  if (pages <= 1) return null;
  return (
    <nav
      aria-label={t('ui.pages')}
      className="flex flex-wrap items-center justify-center gap-1 py-2"
    >
      <IconButton
        label={t('ui.previousPage')}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <ChevronLeft aria-hidden />
      </IconButton>
      {pageWindow(page, pages).map((entry, index, all) =>
        entry === 'gap' ? (
          <span key={`gap-${all[index - 1]}`} aria-hidden className="w-6 text-center text-muted">
            …
          </span>
        ) : (
          <button
            key={entry}
            type="button"
            aria-label={t('ui.page', { page: entry })}
            aria-current={entry === page ? 'page' : undefined}
            onClick={() => onPage(entry)}
            className={cx(
              'figures grid size-9 place-items-center rounded-control text-ui font-medium touch:size-11',
              entry === page
                ? 'bg-primary-soft text-primary-text'
                : 'text-muted hover:bg-surface-2',
            )}
          >
            {entry}
          </button>
        ),
      )}
      <IconButton
        label={t('ui.nextPage')}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        <ChevronRight aria-hidden />
      </IconButton>
    </nav>
  );
}
