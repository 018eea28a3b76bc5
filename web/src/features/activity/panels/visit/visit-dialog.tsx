/** One visit whole: the picture, who, where and when, why, and what the reader may say about it. */
import type { DetailedVisit } from '@nazar/contract/visits.ts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { UserX } from 'lucide-react';
import { Problem } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { CopyField } from '#ui/copy-field.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { CorrectionBox } from './correction-box.tsx';
import { VisitDecisions } from './visit-decisions.tsx';
import { VisitFacts } from './visit-facts.tsx';
import { VisitLook } from './visit-look.tsx';
import { VisitReason } from './visit-reason.tsx';
import { visitQuery } from './visit.ts';

export interface VisitDialogProps {
  id: string;
  onClose: () => void;
}

export function VisitDialog({ id, onClose }: VisitDialogProps) {
  const { t } = useTranslation();
  const query = useQuery(visitQuery(id));
  return (
    <Dialog open title={t('visit.title')} width="large" onClose={onClose}>
      <Visit query={query} />
    </Dialog>
  );
}

/**
 * Reads the answer in here: a query reports only what was read of it, and the window, whose code may come after the
 * answer, would read the rest too late.
 */
function Visit({ query }: { query: UseQueryResult<DetailedVisit> }) {
  const { t } = useTranslation();
  const { error } = query;
  // What was deleted meanwhile is not shown from the cache. 400: the address names no visit at all.
  if (error instanceof Problem && [400, 404].includes(error.status)) {
    return <EmptyState icon={<UserX />} title={t('visit.gone')} text={t('visit.goneText')} />;
  }
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton className="h-96" />}
      failedTitle={t('visit.failed')}
    >
      {(visit) => (
        <div className="grid grid-cols-1 gap-5">
          <VisitFacts visit={visit} />
          <CorrectionBox visit={visit} />
          <VisitLook visit={visit} />
          <VisitDecisions visit={visit} />
          <VisitReason visit={visit} />
          <VisitLink id={visit.id} />
        </div>
      )}
    </QueryView>
  );
}

function VisitLink({ id }: { id: string }) {
  const { t } = useTranslation();
  const link = new URL(location.pathname, location.origin);
  link.search = String(new URLSearchParams({ tab: 'analytics', panel: 'timeline', visit: id }));
  return (
    <CopyField
      label={t('visit.link')}
      value={link.href}
      copyLabel={t('activityLog.copyLink')}
      copiedLabel={t('activityLog.linkCopied')}
    />
  );
}
