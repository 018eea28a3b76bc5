import type { Camera } from '@nazar/contract/cameras.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Camera as CameraIcon } from 'lucide-react';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { CameraStatusBadge } from '#parts/camera-badges.tsx';
import { CameraStateLine } from '#parts/camera-state/camera-state-line.tsx';
import { useCameraState } from '#parts/camera-state/use-camera-state.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Card } from '#ui/card.tsx';
import { Row, RowList } from '#ui/data-list.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const SHOWN = 6;

const link = 'font-medium underline-offset-4 hover:underline';

/** Its picture is wanted and does not come. */
const troubled = ({ status, health }: Camera): boolean =>
  status === 'error' || (status === 'active' && health.state !== 'live');

/** Cameras in trouble first: readers come here to find them. */
const inOrder = (cameras: readonly Camera[]): Camera[] =>
  cameras.toSorted((one, other) => Number(troubled(other)) - Number(troubled(one)));

/** No camera at all takes as much room as four rows to say so. */
const EMPTY_ROWS = 4;

function RowsSkeleton({ rows }: { rows: number }) {
  return (
    <div className="grid gap-px">
      {Array.from({ length: rows === 0 ? EMPTY_ROWS : rows }, (_, index) => (
        <div key={index} className="flex h-14 items-center">
          <Skeleton className="h-9 flex-1" />
        </div>
      ))}
    </div>
  );
}

/** A camera with its name, and how it is with it. */
function CameraRow({ camera, knownAtMs }: { camera: Camera; knownAtMs: number | null }) {
  const state = useCameraState(camera, { knownAtMs });
  return (
    <Row
      title={
        <Link to="/cameras/$cameraId" params={{ cameraId: camera.id }} className={link}>
          {camera.name}
        </Link>
      }
      text={
        <>
          {camera.location}
          <CameraStateLine state={state} />
        </>
      }
      aside={<CameraStatusBadge status={camera.status} />}
    />
  );
}

export function CameraStatus({
  query,
  expected = SHOWN,
}: {
  query: UseQueryResult<{ results: Camera[] }>;
  /** How many cameras there are, as the figures say. */
  expected?: number | undefined;
}) {
  const { t } = useTranslation();
  const me = useUser();
  const all = (
    <Link
      to="/cameras"
      className="inline-flex min-h-6 items-center font-medium text-primary-text hover:underline"
    >
      {t('dashboard.allCameras')}
    </Link>
  );
  const many = (query.data?.results.length ?? 0) > SHOWN;
  return (
    <Card
      title={t('dashboard.cameraStatus')}
      {...(many && { aside: all })}
      className="lg:col-span-2"
    >
      <QueryView query={query} skeleton={<RowsSkeleton rows={Math.min(expected, SHOWN)} />}>
        {({ results }) =>
          results.length === 0 ? (
            <EmptyState
              icon={<CameraIcon />}
              title={t(isAdministrator(me) ? 'cameras.empty' : 'cameras.emptyShared')}
              text={t('cameras.emptyText')}
            />
          ) : (
            <RowList label={t('dashboard.cameraStatus')}>
              {inOrder(results)
                .slice(0, SHOWN)
                .map((camera) => (
                  <CameraRow
                    key={camera.id}
                    camera={camera}
                    knownAtMs={query.isError ? query.dataUpdatedAt : null}
                  />
                ))}
            </RowList>
          )
        }
      </QueryView>
    </Card>
  );
}
