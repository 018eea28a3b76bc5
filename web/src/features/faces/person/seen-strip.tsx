import type { Visit } from '@nazar/contract/visits.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { QueryView } from '#parts/query-view.tsx';
import { SecureImage } from '#parts/secure-image.tsx';
import { TimeAgo } from '#parts/time-ago.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { unknownVisitsQuery } from '../queries.ts';

/** Two rows on a phone, one elsewhere. */
const SHOWN = 8;

const strip = 'grid grid-cols-4 gap-2 sm:grid-cols-8';

export interface SeenStripProps {
  chosen: Visit | null;
  onChoose: (visit: Visit) => void;
}

/** "This face I am seeing now": the newest visits of unknown people; news keeps them new. */
export function SeenStrip({ chosen, onChoose }: SeenStripProps) {
  const { t } = useTranslation();
  const visits = useQuery(unknownVisitsQuery(1, SHOWN));
  const skeleton = (
    <div className={strip}>
      {Array.from({ length: SHOWN }, (_, index) => (
        <Skeleton key={index} className="aspect-square" />
      ))}
    </div>
  );
  return (
    <QueryView query={visits} skeleton={skeleton}>
      {({ results }) => {
        const pictured = results.filter((visit) => visit.face_image_url !== null);
        if (pictured.length === 0)
          return <p className="text-ui text-muted">{t('unknown.emptyText')}</p>;
        return (
          <ul aria-label={t('unknown.title')} className={strip}>
            {pictured.map((visit) => (
              <li key={visit.id}>
                <button
                  type="button"
                  aria-pressed={visit.id === chosen?.id}
                  className="grid w-full gap-1 text-left"
                  onClick={() => onChoose(visit)}
                >
                  <SecureImage
                    src={visit.face_image_url}
                    alt=""
                    className={cx(
                      'aspect-square w-full rounded-control',
                      visit.id === chosen?.id && 'outline-2 outline-offset-2 outline-primary',
                    )}
                    fallback={<Skeleton className="aspect-square" />}
                  />
                  <span className="truncate text-caption text-muted">{visit.camera_name}</span>
                  <span className="sr-only">
                    <TimeAgo at={visit.timestamp} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        );
      }}
    </QueryView>
  );
}
