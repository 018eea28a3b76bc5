import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Camera } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ask } from '#api/query.ts';
import { Page } from '#parts/page.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { Card, CardGrid } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export function CamerasPage() {
  const { t } = useTranslation();
  const cameras = useQuery(ask('cameras', cameraRoutes.list, {}));
  return (
    <Page title={t('cameras.title')}>
      <QueryView query={cameras} skeleton={<Skeleton className="h-48 rounded-card" />}>
        {({ results }) =>
          results.length === 0 ? (
            <Card>
              <EmptyState
                icon={<Camera />}
                title={t('cameras.empty')}
                text={t('cameras.emptyText')}
              />
            </Card>
          ) : (
            <CardGrid>
              {results.map((camera) => (
                <Card key={camera.id} title={camera.name}>
                  <p className="text-ui text-muted">{camera.location}</p>
                  <Link
                    to="/cameras/$cameraId"
                    params={{ cameraId: camera.id }}
                    className="mt-3 inline-flex min-h-6 text-ui font-medium text-primary-text hover:underline"
                  >
                    {t('cameras.open', { name: camera.name })}
                  </Link>
                </Card>
              ))}
            </CardGrid>
          )
        }
      </QueryView>
    </Page>
  );
}
