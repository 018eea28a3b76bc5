import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Page } from '#parts/page.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { CameraStatus } from './camera-status.tsx';
import { Figures, FiguresSkeleton } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { camerasQuery, detectionsQuery, healthQuery, summaryQuery } from './queries.ts';
import { RecentDetections } from './recent-detections.tsx';
import { SystemStatus } from './system-status.tsx';
import { Traffic } from './traffic.tsx';
import { Warnings } from './warnings.tsx';

export function DashboardPage() {
  const { t } = useTranslation();
  const summary = useQuery(summaryQuery());
  const detections = useQuery(detectionsQuery());
  const cameras = useQuery(camerasQuery());
  const health = useQuery(healthQuery());
  const { data } = summary;
  return (
    <Page
      title={t('dashboard.title')}
      subtitle={t('dashboard.subtitle')}
      actions={<StaleNote queries={[summary, detections, cameras, health]} />}
    >
      <Warnings />
      {data !== undefined && (
        <FirstSteps cameras={data.camera_stats.total} faces={data.face_stats.total} />
      )}
      <QueryView query={summary} skeleton={<FiguresSkeleton />}>
        {(figures) => <Figures summary={figures} />}
      </QueryView>
      <div className="grid gap-4 lg:grid-cols-3">
        {data !== undefined && <Traffic flow={data.traffic_flow} />}
        {summary.isPending && <Skeleton className="h-80 rounded-card lg:col-span-2" />}
        <RecentDetections query={detections} />
        <CameraStatus query={cameras} />
        <SystemStatus query={health} />
      </div>
    </Page>
  );
}
