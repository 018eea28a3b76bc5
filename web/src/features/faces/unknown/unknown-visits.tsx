import type { Visit } from '@nazar/contract/visits.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UserCheck, UserPlus } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { TimeAgo } from '#parts/time-ago.tsx';
import { pageInstead, usePageInstead, type GoToPage } from '#parts/use-page-instead.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { PAGE_SIZE, unknownVisitsQuery } from '../queries.ts';
import { pictureGrid, PictureGridSkeleton, UnknownPicture } from './picture-grid.tsx';

function VisitItem({ visit, onAdd }: { visit: Visit; onAdd: (visit: Visit) => void }) {
  const { t } = useTranslation();
  return (
    <li className="card flex flex-col overflow-hidden">
      <UnknownPicture
        src={visit.face_image_url}
        isHidden={visit.picture_hidden}
        alt={t('unknown.picture', { camera: visit.camera_name })}
      />
      <div className="flex flex-1 flex-col gap-2 p-3">
        <div className="grid gap-0.5">
          <Link
            to="/cameras/$cameraId"
            params={{ cameraId: visit.camera_id }}
            className="truncate text-ui font-medium hover:underline"
          >
            {visit.camera_name}
          </Link>
          <span className="text-meta text-muted">
            <TimeAgo at={visit.timestamp} />
          </span>
        </div>
        {visit.face_image_url === null && !visit.picture_hidden && (
          <p className="mt-auto text-meta text-muted">{t('unknown.noPicture')}</p>
        )}
        {visit.face_image_url !== null && (
          <Button
            look="secondary"
            size="small"
            className="mt-auto w-full"
            onClick={() => onAdd(visit)}
          >
            <UserPlus aria-hidden className="hidden sm:block" />
            {t('unknown.add')}
          </Button>
        )}
      </div>
    </li>
  );
}

export interface UnknownVisitsProps {
  page: number;
  onPage: GoToPage;
  onAdd: (visit: Visit) => void;
}

/** The visits of unknown people, newest first. */
export function UnknownVisits({ page, onPage, onAdd }: UnknownVisitsProps) {
  const { t } = useTranslation();
  const visits = useQuery(unknownVisitsQuery(page));
  usePageInstead(pageInstead(visits, page, PAGE_SIZE), onPage);
  return (
    <>
      <StaleNote queries={[visits]} />
      <QueryView query={visits} skeleton={<PictureGridSkeleton count={PAGE_SIZE} lastLine="h-8" />}>
        {({ results, count }) => (
          <>
            <output className="text-ui text-muted">{t('unknown.count', { count })}</output>
            {results.length === 0 ? (
              <Card>
                <EmptyState
                  icon={<UserCheck />}
                  title={t('unknown.empty')}
                  text={t('unknown.emptyText')}
                />
              </Card>
            ) : (
              <ul aria-label={t('unknown.title')} className={pictureGrid}>
                {results.map((visit) => (
                  <VisitItem key={visit.id} visit={visit} onAdd={onAdd} />
                ))}
              </ul>
            )}
            <Pagination page={page} pages={Math.ceil(count / PAGE_SIZE)} onPage={onPage} />
          </>
        )}
      </QueryView>
    </>
  );
}
