import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { useQuery } from '@tanstack/react-query';
import { Camera, Percent, UserX, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ask } from '#api/query.ts';
import { useFormat } from '#lib/format.ts';
import { Page } from '#parts/page.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { FigureGrid, FigureCard } from '#ui/card.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** DASH-002. */
const REFRESH_MS = 30_000;

export function DashboardPage() {
  const { t } = useTranslation();
  const { formatNumber, formatPercent } = useFormat();
  const summary = useQuery({
    ...ask('analytics', analyticsRoutes.summary, {}),
    refetchInterval: REFRESH_MS,
  });
  const skeleton = (
    <FigureGrid>
      {['faces', 'cameras', 'unknown', 'rate'].map((name) => (
        <Skeleton key={name} className="h-32 rounded-card" />
      ))}
    </FigureGrid>
  );
  return (
    <Page title={t('dashboard.title')} subtitle={t('dashboard.subtitle')}>
      <QueryView query={summary} skeleton={skeleton}>
        {({ face_stats: faces, camera_stats: cameras, recognition_rate: recognition }) => (
          <FigureGrid>
            <FigureCard
              label={t('dashboard.totalFaces')}
              value={formatNumber(faces.total)}
              icon={<Users />}
            />
            <FigureCard
              label={t('dashboard.activeCameras')}
              value={formatNumber(cameras.active)}
              icon={<Camera />}
            >
              {t('dashboard.ofTotal', { total: formatNumber(cameras.total) })}
            </FigureCard>
            <FigureCard
              label={t('dashboard.unknownFaces')}
              value={formatNumber(faces.unknown)}
              icon={<UserX />}
            />
            <FigureCard
              label={t('dashboard.recognitionRate')}
              value={recognition.rate === null ? null : formatPercent(recognition.rate / 100, 1)}
              empty={t('dashboard.noData')}
              icon={<Percent />}
            />
          </FigureGrid>
        )}
      </QueryView>
    </Page>
  );
}
