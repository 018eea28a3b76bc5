/**
 * What one camera recorded: a day's recordings, the player, and how much there is. Day, filter,
 * search, page, recording and moment stand in the address.
 */
import { getRouteApi } from '@tanstack/react-router';
import { Lock, VideoOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { needSentences, useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { problemSentence } from '#api/problem.ts';
import { RetryBanner } from '#ui/retry-banner.tsx';
import { Loading, Skeleton } from '#ui/skeleton.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState, Failed } from '#ui/empty-state.tsx';
import { ArchiveHead } from './archive-head.tsx';
import type { ArchiveStateProps } from './archive-state.tsx';
import { CameraArchive } from './camera-archive.tsx';
import { SettingsButton } from './settings-button.tsx';
import { useArchiveCamera, type FoundCamera } from './use-archive-camera.ts';
import { isNoAnswer, useLast } from './use-last.ts';

const route = getRouteApi('/shell/recordings/$cameraId');

function Refused({ icon, title }: { icon: ReactNode; title: string }) {
  const { t } = useTranslation();
  return (
    <Card>
      <EmptyState icon={icon} title={title} text={t('ui.notAllowedText')} />
    </Card>
  );
}

function CameraFailed({ query }: Pick<Extract<FoundCamera, { kind: 'asked' }>, 'query'>) {
  const { t } = useTranslation();
  return (
    <RetryBanner busy={query.isFetching} onRetry={() => void query.refetch()}>
      {t('recordings.cameraFailed')}
    </RetryBanner>
  );
}

function Skeletons() {
  return (
    <Loading>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Skeleton className="aspect-video" />
        <Skeleton className="h-96" />
      </div>
    </Loading>
  );
}

/** Its words are many, and the list does not wait for them. */
const { Component: ArchiveState } = onDemand<ArchiveStateProps>(async () => {
  const [loaded] = await Promise.all([
    import('./archive-state.tsx'),
    needSentences('archive-state'),
  ]);
  return loaded.ArchiveState;
});

function Archive({ cameraId }: { cameraId: string }) {
  const { t } = useTranslation();
  const found = useArchiveCamera(cameraId);
  const isAway = found.kind === 'asked' && isNoAnswer(found.query.error);
  const last = useLast(cameraId, isAway);
  if (found.kind === 'unknown') {
    return (
      <ArchiveHead title={t('recordings.title')}>
        <Refused icon={<VideoOff />} title={t('problem:problem.camera_not_found')} />
      </ArchiveHead>
    );
  }
  if (found.kind === 'found') {
    const { camera } = found;
    // The settings of a deleted camera are history; those of one that the reader may not play are not shown.
    const isSettable = camera.deletedAt === null && camera.mayPlay;
    const settable = isSettable ? (found.query.data ?? null) : null;
    return (
      <ArchiveHead
        title={camera.name}
        deletedAt={camera.deletedAt}
        {...(camera.deletedAt === null &&
          found.query.data !== undefined && {
            state: (
              <ArchiveState
                camera={found.query.data}
                knownAtMs={found.query.isError ? found.query.dataUpdatedAt : null}
              />
            ),
          })}
        actions={settable !== null && <SettingsButton camera={settable} />}
      >
        {camera.deletedAt === null && found.query.isRefetchError && (
          <CameraFailed query={found.query} />
        )}
        {camera.mayPlay ? (
          <CameraArchive camera={camera} />
        ) : (
          <Refused icon={<Lock />} title={t('recordings.notYours')} />
        )}
      </ArchiveHead>
    );
  }
  const { query } = found;
  if (!query.isError) {
    return (
      <ArchiveHead title={t('recordings.title')}>
        <Skeletons />
      </ArchiveHead>
    );
  }
  if (last === null) {
    return (
      <ArchiveHead title={t('recordings.title')}>
        <Card>
          <Failed
            title={t('recordings.cameraFailed')}
            text={problemSentence(query.error)}
            busy={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        </Card>
      </ArchiveHead>
    );
  }
  // The last list is still to be read, and says how old it is.
  return (
    <ArchiveHead title={last.cameraName}>
      <CameraFailed query={query} />
      <CameraArchive
        camera={{ id: cameraId, name: last.cameraName, mayPlay: true, deletedAt: null }}
      />
    </ArchiveHead>
  );
}

export function RecordingsPage() {
  const { cameraId } = route.useParams();
  return <Archive key={cameraId} cameraId={cameraId} />;
}
