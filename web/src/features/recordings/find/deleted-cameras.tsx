/** Cameras that are deleted while recordings of them are kept: administrators still reach these. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '#lib/i18n.ts';
import { dayOf } from '#lib/local-day.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Card } from '#ui/card.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { deletedCamerasQuery } from '../queries.ts';
import { useWords } from '../recording-words.ts';

export function DeletedCameras() {
  const { t } = useTranslation();
  const words = useWords();
  return (
    <Card title={t('recordingSearch.deleted')} className="grid grid-cols-1 gap-3 *:mb-0">
      <p className="text-meta text-muted">{t('recordingSearch.deletedKept')}</p>
      <QueryView query={useQuery(deletedCamerasQuery())} skeleton={<Skeleton className="h-14" />}>
        {({ results }) =>
          results.length === 0 ? (
            <p>{t('recordingSearch.noDeleted')}</p>
          ) : (
            <ul aria-label={t('recordingSearch.deleted')} className="grid grid-cols-1 gap-1">
              {results.map(({ id, name, deleted_at: deletedAt, recordings, from, until }) => (
                <li key={id}>
                  <Link
                    to="/recordings/$cameraId"
                    params={{ cameraId: id }}
                    search={{ day: dayOf(Date.parse(until)) }}
                    className="grid rounded-control p-2 hover:bg-surface-2"
                  >
                    <span className="font-medium break-words">{name}</span>
                    <span className="figures text-meta text-muted">
                      {t('recordings.cameraDeleted', { date: words.date(new Date(deletedAt)) })}
                      {' · '}
                      {t('recordings.found', { count: recordings })}
                      {' · '}
                      {t('recordings.span', {
                        from: words.date(new Date(from)),
                        until: words.date(new Date(until)),
                      })}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Card>
  );
}
