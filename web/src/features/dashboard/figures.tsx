import type { Summary } from '@nazar/contract/analytics.ts';
import { newUnknownFaces } from '@nazar/contract/unknown-faces.ts';
import { Link } from '@tanstack/react-router';
import { Camera, Percent, UserX, Users } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { joined } from '#lib/joined.ts';
import { FigureCard, FigureGrid } from '#ui/card.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Trend } from './trend.tsx';

export function Figures({ summary }: { summary: Summary }) {
  const { t } = useTranslation();
  const { formatNumber, formatPercent } = useFormat();
  const { face_stats: faces, camera_stats: cameras, recognition_rate: recognition } = summary;
  const signed = (value: number, digits = 0): string =>
    formatNumber(value, { signDisplay: 'exceptZero', maximumFractionDigits: digits });
  return (
    <FigureGrid>
      <FigureCard
        label={t('dashboard.totalFaces')}
        value={formatNumber(faces.total)}
        icon={<Users />}
      >
        {faces.trend !== null && <Trend change={faces.trend} text={signed(faces.trend)} />}
      </FigureCard>
      <FigureCard
        label={t('dashboard.activeCameras')}
        value={formatNumber(cameras.active)}
        icon={<Camera />}
      >
        {joined([
          t('dashboard.ofTotal', { total: formatNumber(cameras.total) }),
          cameras.active > 0 && t('dashboard.liveNow', { number: formatNumber(cameras.live) }),
        ])}
      </FigureCard>
      <FigureCard
        label={t('dashboard.unknownFaces')}
        value={
          faces.unknown_more
            ? t('dashboard.unknownFacesMore', { number: formatNumber(faces.unknown) })
            : formatNumber(faces.unknown)
        }
        icon={<UserX />}
      >
        <Link
          to="/face-database"
          search={{ view: 'unknown', progress: newUnknownFaces.status }}
          className="-my-1 inline-flex min-h-6 items-center font-medium text-primary-text underline-offset-4 hover:underline"
        >
          {t('dashboard.viewAll')}
          <span className="sr-only">{t('dashboard.viewAllUnknown')}</span>
        </Link>
      </FigureCard>
      <FigureCard
        label={t('dashboard.recognitionRate')}
        value={recognition.rate === null ? null : formatPercent(recognition.rate / 100, 1)}
        empty={t('dashboard.noData')}
        icon={<Percent />}
      >
        {recognition.trend !== null && (
          <Trend
            change={recognition.trend}
            text={t('dashboard.points', { value: signed(recognition.trend, 1) })}
          />
        )}
      </FigureCard>
    </FigureGrid>
  );
}

export function FiguresSkeleton() {
  return (
    <FigureGrid>
      {['faces', 'cameras', 'unknown', 'rate'].map((name) => (
        <Skeleton key={name} className="h-32 rounded-card" />
      ))}
    </FigureGrid>
  );
}
