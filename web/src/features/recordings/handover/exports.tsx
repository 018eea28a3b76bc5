/** Exports: those of the reader, and everyone's for administrators. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { ExportRows } from './export-rows.tsx';
import { exportsQuery, PAGE_SIZE } from './queries.ts';
import { useExistingPage } from './existing-page-number.ts';

export interface ExportsProps {
  /** Only those of this camera. */
  camera?: { readonly id: string } | undefined;
}

export function Exports({ camera }: ExportsProps) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const query = useQuery(exportsQuery(camera?.id, page));
  useExistingPage(page, setPage, query.data);
  return (
    <div className="grid gap-2">
      <StaleNote queries={[query]} />
      <QueryView
        query={query}
        failedTitle={t('handover.exportsFailed')}
        skeleton={<Skeleton className="h-40" />}
      >
        {({ count, results }) => (
          <>
            <ExportRows exports={results} seenAtMs={query.dataUpdatedAt} />
            <Pagination page={page} pages={Math.ceil(count / PAGE_SIZE)} onPage={setPage} />
          </>
        )}
      </QueryView>
    </div>
  );
}
