import { useQuery } from '@tanstack/react-query';
import { needSentences, useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { Page } from '#parts/page.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { Loading, Skeleton } from '#ui/skeleton.tsx';
import { CameraStatus } from './camera-status.tsx';
import { Figures, FiguresSkeleton } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import type { LastCardsProps } from './last-cards.tsx';
import { camerasQuery, detectionsQuery, healthQuery, summaryQuery } from './queries.ts';
import { RecentDetections } from './recent-detections.tsx';
import { Traffic } from './traffic.tsx';
import { UnknownAddress } from './unknown-address.tsx';
import { Warnings, useWarnings } from './warnings.tsx';

const { Component: LastCards } = onDemand<LastCardsProps>(async () => {
  const [loaded] = await Promise.all([import('./last-cards.tsx'), needSentences('last-cards')]);
  return loaded.LastCards;
});

/** In the geometry of what comes, so that nothing moves when it does. */
function DashboardSkeleton() {
  return (
    <Loading>
      <div className="grid gap-4">
        <FiguresSkeleton />
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-3">
          <Skeleton className="h-88 rounded-card lg:col-span-2" />
          <Skeleton className="h-88 rounded-card" />
        </div>
      </div>
    </Loading>
  );
}

export function DashboardPage() {
  const { t } = useTranslation();
  const summary = useQuery(summaryQuery());
  const detections = useQuery(detectionsQuery());
  const cameras = useQuery(camerasQuery());
  const health = useQuery(healthQuery());
  const warnings = useWarnings();
  const { data } = summary;
  // Both decide what stands on top and pushes all else down; a query that is not asked loads nothing.
  const isKnown = !summary.isPending && !warnings.isLoading;
  return (
    <Page
      title={t('dashboard.title')}
      subtitle={t('dashboard.subtitle')}
      actions={<StaleNote queries={[summary, detections, cameras, health]} />}
    >
      <UnknownAddress />
      {!isKnown && <DashboardSkeleton />}
      {isKnown && (
        <>
          <Warnings query={warnings} />
          {data !== undefined && (
            <FirstSteps cameras={data.camera_stats.total} faces={data.face_stats.total} />
          )}
          <QueryView query={summary} skeleton={<FiguresSkeleton />}>
            {(figures) => <Figures summary={figures} />}
          </QueryView>
          <div className="grid grid-cols-1 gap-4 lg:grid-cols-3">
            {data !== undefined && <Traffic flow={data.traffic_flow} />}
            <RecentDetections query={detections} />
            <CameraStatus query={cameras} expected={data?.camera_stats.total} />
            <LastCards health={health} />
          </div>
        </>
      )}
    </Page>
  );
}
