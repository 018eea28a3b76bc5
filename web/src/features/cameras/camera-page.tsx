import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Camera } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ask } from '#api/query.ts';
import { Page } from '#parts/page.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { SecureImage } from '#parts/secure-image.tsx';
import { Card } from '#ui/card.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { address } from '#api/call.ts';

const route = getRouteApi('/shell/cameras/$cameraId');

export function CameraPage() {
  const { t } = useTranslation();
  const { cameraId } = route.useParams();
  const camera = useQuery(ask('cameras', cameraRoutes.read, { params: { id: cameraId } }));
  return (
    <Page title={camera.data?.name ?? t('cameras.title')} subtitle={camera.data?.location}>
      <QueryView query={camera} skeleton={<Skeleton className="aspect-video rounded-card" />}>
        {({ id, name }) => (
          <Card>
            <SecureImage
              src={address(cameraRoutes.snapshot.path, { params: { id } })}
              alt={name}
              className="aspect-video w-full rounded-control"
              fallback={
                <div className="grid aspect-video place-items-center rounded-control bg-surface-2 text-muted">
                  <Camera aria-hidden className="size-10" />
                </div>
              }
            />
          </Card>
        )}
      </QueryView>
    </Page>
  );
}
