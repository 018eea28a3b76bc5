import type { Visit } from '@nazar/contract/visits.ts';
import { useQuery } from '@tanstack/react-query';
import { UserX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { FacePicture } from '#parts/face-picture.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { TimeAgo } from '#parts/time-ago.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { STRANGERS_PAGE_SIZE, visitsOf } from './strangers.ts';

export interface StrangerVisitsProps {
  id: string;
  /** Visits that the reader says are another person's; null where the reader may not say so. */
  chosen: ReadonlySet<string> | null;
  onChoose: (visit: string, is: boolean) => void;
}

function VisitItem({
  visit,
  chosen,
  onChoose,
}: { visit: Visit } & Pick<StrangerVisitsProps, 'chosen' | 'onChoose'>) {
  const { t } = useTranslation();
  return (
    <li className="card flex items-center gap-3 p-2">
      <FacePicture
        src={visit.face_image_url}
        isHidden={visit.picture_hidden}
        alt={t('unknown.picture', { camera: visit.camera_name })}
        className="size-14 shrink-0 rounded-control"
        fallback={
          <div className="grid size-14 shrink-0 place-items-center rounded-control bg-surface-2 text-line-strong">
            <UserX aria-hidden className="size-6" />
          </div>
        }
      />
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-0.5 text-meta">
        <span className="truncate font-medium">{visit.camera_name}</span>
        <span className="text-muted">
          <TimeAgo at={visit.timestamp} />
        </span>
        {visit.picture_hidden && (
          <span aria-hidden className="text-muted">
            {t('unknown.hiddenPicture')}
          </span>
        )}
      </div>
      {chosen !== null && (
        <Checkbox
          aria-label={t('strangers.chooseVisit', { camera: visit.camera_name })}
          checked={chosen.has(visit.id)}
          onChange={({ target }) => onChoose(visit.id, target.checked)}
        />
      )}
    </li>
  );
}

/** Everything that was joined to one stranger, newest first. */
export function StrangerVisits({ id, chosen, onChoose }: StrangerVisitsProps) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const visits = useQuery(visitsOf(id, page));
  return (
    <QueryView query={visits} skeleton={<Spinner />}>
      {({ results, count }) => (
        <>
          <ul aria-label={t('strangers.visits')} className="grid grid-cols-1 gap-2 sm:grid-cols-2">
            {results.map((visit) => (
              <VisitItem key={visit.id} visit={visit} chosen={chosen} onChoose={onChoose} />
            ))}
          </ul>
          <Pagination page={page} pages={Math.ceil(count / STRANGERS_PAGE_SIZE)} onPage={setPage} />
        </>
      )}
    </QueryView>
  );
}
