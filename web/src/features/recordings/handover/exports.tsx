/** Exports: those of the reader, and everyone's for administrators. */
import type { RecordingExport } from '@nazar/contract/exports.ts';
import { useQuery } from '@tanstack/react-query';
import { FileVideo } from 'lucide-react';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { RowList } from '#ui/data-list.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { ExportDetails } from './export-details.tsx';
import { ExportRow } from './export-row.tsx';
import { exportsQuery, isUnfinished, PAGE_SIZE, useRemoveExport } from './queries.ts';
import { useExistingPage } from './existing-page-number.ts';

export interface ExportsProps {
  /** Only those of this camera. */
  camera?: { readonly id: string } | undefined;
}

export function Exports({ camera }: ExportsProps) {
  const { t } = useTranslation();
  const showsMaker = isAdministrator(useUser());
  const [page, setPage] = useState(1);
  const [detailed, setDetailed] = useState<RecordingExport | null>(null);
  const [leaving, setLeaving] = useState<RecordingExport | null>(null);
  const query = useQuery(exportsQuery(camera?.id, page));
  useExistingPage(page, setPage, query.data);
  const remove = useRemoveExport();
  // What is still being made has nothing that could be lost.
  const onRemove = (made: RecordingExport): void =>
    isUnfinished(made) ? remove.mutate(made.id) : setLeaving(made);
  return (
    <div className="grid gap-2">
      <StaleNote queries={[query]} />
      {remove.isError && leaving === null && (
        <Banner tone="error" onClose={remove.reset}>
          {problemSentence(remove.error)}
        </Banner>
      )}
      <QueryView
        query={query}
        failedTitle={t('handover.exportsFailed')}
        skeleton={<Skeleton className="h-40" />}
      >
        {({ count, results }) => (
          <>
            {count === 0 ? (
              <EmptyState
                icon={<FileVideo />}
                title={t('handover.noExports')}
                text={t('handover.noExportsText')}
              />
            ) : (
              <RowList label={t('handover.exports')}>
                {results.map((made) => (
                  <ExportRow
                    key={made.id}
                    made={made}
                    seenAtMs={query.dataUpdatedAt}
                    showsMaker={showsMaker}
                    onDetails={() => setDetailed(made)}
                    onRemove={() => onRemove(made)}
                  />
                ))}
              </RowList>
            )}
            <Pagination page={page} pages={Math.ceil(count / PAGE_SIZE)} onPage={setPage} />
          </>
        )}
      </QueryView>
      {detailed && <ExportDetails made={detailed} onClose={() => setDetailed(null)} />}
      {leaving && (
        <AlertDialog
          open
          danger
          title={t('handover.removeTitle')}
          description={t('handover.removeText', { name: leaving.file_name })}
          confirmLabel={t('handover.remove')}
          busy={remove.isPending}
          error={remove.isError && <Banner tone="error">{problemSentence(remove.error)}</Banner>}
          onConfirm={() => remove.mutate(leaving.id, { onSuccess: () => setLeaving(null) })}
          onClose={() => {
            remove.reset();
            setLeaving(null);
          }}
        />
      )}
    </div>
  );
}
