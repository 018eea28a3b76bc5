import { ChevronFirst, ChevronLast } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Pagination } from '#ui/pagination.tsx';

/** Where the reader is, first and last, previous and next, and two pages either side. */
export function LogPages(props: { page: number; pages: number; onPage: (page: number) => void }) {
  const { t } = useTranslation();
  const { page, pages, onPage } = props;
  return (
    <div className="grid justify-items-center gap-1">
      <div className="flex items-center gap-1">
        {pages > 1 && (
          <IconButton
            label={t('activityLog.firstPage')}
            disabled={page <= 1}
            onClick={() => onPage(1)}
          >
            <ChevronFirst aria-hidden />
          </IconButton>
        )}
        <Pagination {...props} />
        {pages > 1 && (
          <IconButton
            label={t('activityLog.lastPage')}
            disabled={page >= pages}
            onClick={() => onPage(pages)}
          >
            <ChevronLast aria-hidden />
          </IconButton>
        )}
      </div>
      <p className="text-meta text-muted">{t('activityLog.pageOf', { page, pages })}</p>
    </div>
  );
}
