/** One export in a window of its own, where a notification of it leads. */
import type { RecordingExport } from '@nazar/contract/exports.ts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { FileX } from 'lucide-react';
import { Problem } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { ExportRows } from './export-rows.tsx';
import { exportQuery } from './queries.ts';

export interface OneExportProps {
  id: string;
  onClose: () => void;
}

export function OneExport({ id, onClose }: OneExportProps) {
  const { t } = useTranslation();
  const query = useQuery(exportQuery(id));
  return (
    <Dialog open title={t('handover.one')} onClose={onClose}>
      <Found query={query} onRemoved={onClose} />
    </Dialog>
  );
}

interface FoundProps {
  query: UseQueryResult<RecordingExport>;
  onRemoved: () => void;
}

/**
 * Reads the answer in here: a query reports only what was read of it, and the window, whose code may come after the
 * answer, would read the rest too late.
 */
function Found({ query, onRemoved }: FoundProps) {
  const { t } = useTranslation();
  const { error } = query;
  // It was deleted, or its days are over.
  if (error instanceof Problem && error.status === 404) {
    return <EmptyState icon={<FileX />} title={t('handover.gone')} text={t('handover.goneText')} />;
  }
  return (
    <QueryView
      query={query}
      failedTitle={t('handover.exportsFailed')}
      skeleton={<Skeleton className="h-32" />}
    >
      {(made) => (
        <ExportRows exports={[made]} seenAtMs={query.dataUpdatedAt} onRemoved={onRemoved} />
      )}
    </QueryView>
  );
}
