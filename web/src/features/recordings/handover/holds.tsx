/** Holds of a camera: what is kept as evidence, why, and by whom. Administrators read them. */
import type { Hold } from '@nazar/contract/recording-plans.ts';
import { useQuery } from '@tanstack/react-query';
import { LockKeyhole, LockKeyholeOpen } from 'lucide-react';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { mayChangeCameras } from '#api/rights.ts';
import { useSeeing } from '#api/see-as.ts';
import { useUser } from '#api/session.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { RowList } from '#ui/data-list.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { NamedCamera } from '../other-cameras.tsx';
import { holdsQuery, PAGE_SIZE, useReleaseHold } from './queries.ts';
import { useExistingPage } from './existing-page-number.ts';
import { periodWords } from './words.ts';

export function Holds({ camera }: { camera: NamedCamera }) {
  const { t } = useTranslation();
  const seeing = useSeeing();
  const mayRelease = mayChangeCameras(useUser()) && seeing === null;
  const [page, setPage] = useState(1);
  const [leaving, setLeaving] = useState<Hold | null>(null);
  const query = useQuery(holdsQuery(camera.id, page));
  useExistingPage(page, setPage, query.data);
  const title = t('handover.holdsOf', { name: camera.name });
  return (
    <div className="grid gap-2">
      <StaleNote queries={[query]} />
      <QueryView
        query={query}
        failedTitle={t('handover.holdsFailed')}
        skeleton={<Skeleton className="h-24" />}
      >
        {({ count, results }) => (
          <>
            {count === 0 && (
              <EmptyState
                icon={<LockKeyhole />}
                title={t('handover.noHolds')}
                text={t('handover.noHoldsText')}
              />
            )}
            <RowList label={title}>
              {results.map((hold) => (
                <HoldRow
                  key={hold.id}
                  hold={hold}
                  onRelease={mayRelease ? () => setLeaving(hold) : null}
                />
              ))}
            </RowList>
            <Pagination page={page} pages={Math.ceil(count / PAGE_SIZE)} onPage={setPage} />
          </>
        )}
      </QueryView>
      {leaving && <Release hold={leaving} onClose={() => setLeaving(null)} />}
    </div>
  );
}

function HoldRow({ hold, onRelease }: { hold: Hold; onRelease: (() => void) | null }) {
  const { t } = useTranslation();
  const period = periodWords(hold.from, hold.until);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-2.5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="text-ui font-medium break-words">{hold.reason}</p>
        <p className="text-meta text-muted">{period}</p>
        <HeldBy hold={hold} />
      </div>
      {onRelease !== null && (
        <Button
          look="secondary"
          size="small"
          aria-label={t('handover.releaseOf', { reason: hold.reason })}
          onClick={onRelease}
        >
          <LockKeyholeOpen aria-hidden />
          {t('handover.release')}
        </Button>
      )}
    </li>
  );
}

/** By whom and when; the account may be gone. */
export function HeldBy({ hold }: { hold: Hold }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { created_by: by } = hold;
  const name = by === null ? t('handover.deletedAccount') : by.name;
  return (
    <p className="text-meta text-muted">
      {t('handover.heldBy', { name, time: formatTime(hold.created_at) })}
    </p>
  );
}

function Release({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  const { t } = useTranslation();
  const release = useReleaseHold();
  return (
    <AlertDialog
      open
      danger
      title={t('handover.releaseTitle')}
      description={t('handover.releaseText', {
        name: hold.camera_name,
        period: periodWords(hold.from, hold.until),
      })}
      confirmLabel={t('handover.release')}
      busy={release.isPending}
      error={release.isError && <Banner tone="error">{problemSentence(release.error)}</Banner>}
      onConfirm={() => release.mutate(hold.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
