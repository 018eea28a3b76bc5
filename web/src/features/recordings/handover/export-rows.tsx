/** Exports one below another, with what they open: how one is verified, and whether one is to be deleted. */
import type { RecordingExport } from '@nazar/contract/exports.ts';
import { FileVideo } from 'lucide-react';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { RowList } from '#ui/data-list.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ExportDetails } from './export-details.tsx';
import { ExportRow } from './export-row.tsx';
import { isUnfinished, useRemoveExport } from './queries.ts';

export interface ExportRowsProps {
  exports: readonly RecordingExport[];
  /** When the server said so, in milliseconds since 1970. */
  seenAtMs: number;
  onRemoved?: () => void;
}

export function ExportRows({ exports, seenAtMs, onRemoved }: ExportRowsProps) {
  const { t } = useTranslation();
  const showsMaker = isAdministrator(useUser());
  const [detailed, setDetailed] = useState<RecordingExport | null>(null);
  const [leaving, setLeaving] = useState<RecordingExport | null>(null);
  const remove = useRemoveExport();
  // What is still being made has nothing that could be lost.
  const onRemove = (made: RecordingExport): void =>
    isUnfinished(made)
      ? remove.mutate(made.id, { onSuccess: () => onRemoved?.() })
      : setLeaving(made);
  return (
    <>
      {remove.isError && leaving === null && (
        <Banner tone="error" onClose={remove.reset}>
          {problemSentence(remove.error)}
        </Banner>
      )}
      {exports.length === 0 ? (
        <EmptyState
          icon={<FileVideo />}
          title={t('handover.noExports')}
          text={t('handover.noExportsText')}
        />
      ) : (
        <RowList label={t('handover.exports')}>
          {exports.map((made) => (
            <ExportRow
              key={made.id}
              made={made}
              seenAtMs={seenAtMs}
              showsMaker={showsMaker}
              onDetails={() => setDetailed(made)}
              onRemove={() => onRemove(made)}
            />
          ))}
        </RowList>
      )}
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
          onConfirm={() =>
            remove.mutate(leaving.id, {
              onSuccess: () => {
                setLeaving(null);
                onRemoved?.();
              },
            })
          }
          onClose={() => {
            remove.reset();
            setLeaving(null);
          }}
        />
      )}
    </>
  );
}
