/** Camera Analytics: what each camera saw, and the details of the one that is chosen. */
import type { CameraStats } from '@nazar/contract/visit-counts.ts';
import { useQuery } from '@tanstack/react-query';
import { Cctv } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { BarList } from '#ui/chart/bar-list.tsx';
import { ChartView } from '#ui/chart/chart-view.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { CameraFacts } from './details/camera-facts.tsx';
import { Nothing, PanelCard } from './panel-card.tsx';
import type { PanelProps } from './panel-context.ts';
import { PanelView } from './panel-view.tsx';
import { camerasQuery, rawCamerasQuery } from './queries.ts';
import { useKinds } from './use-kinds.ts';

export function CamerasPanel({ asked, onChange }: PanelProps) {
  const { t } = useTranslation();
  const counts = useQuery(camerasQuery(asked));
  const isAway = counts.isError && counts.data === undefined;
  const raw = useQuery({ ...rawCamerasQuery(asked), enabled: isAway });
  const isRaw = isAway && raw.data !== undefined;
  const { camera } = asked.search;
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <PanelCard panel="cameras" title={t('panels.names.cameras')}>
        {isRaw && (
          <p role="alert" className="mb-3 text-ui text-danger-text">
            {t('panels.failed.cameras')} {t('panels.fromVisits')}
          </p>
        )}
        <PanelView panel="cameras" query={isRaw ? raw : counts}>
          {(cameras) => (
            <Cameras
              cameras={cameras}
              chosen={camera}
              onChoose={(key) => onChange({ camera: key === camera ? undefined : key })}
            />
          )}
        </PanelView>
      </PanelCard>
      <PanelCard panel="cameras" title={t('panels.details')}>
        {camera === undefined ? (
          <EmptyState icon={<Cctv />} title={t('panels.selectCamera')} />
        ) : (
          <CameraFacts key={camera} asked={asked} camera={camera} onChange={onChange} />
        )}
      </PanelCard>
    </div>
  );
}

interface CamerasProps {
  cameras: readonly CameraStats[];
  chosen: string | undefined;
  onChoose: (key: string) => void;
}

function Cameras({ cameras, chosen, onChoose }: CamerasProps) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const series = useKinds();
  if (cameras.every(({ total_detections: total }) => total === 0)) {
    return <Nothing title={t('panels.empty.overview')} />;
  }
  const busiestFirst = cameras.toSorted((a, b) => b.total_detections - a.total_detections);
  const data = {
    label: t('panels.names.cameras'),
    rowHeader: t('panels.filter.camera'),
    series,
    rows: busiestFirst.map((camera) => ({
      key: camera.camera_id,
      label: camera.camera_name,
      values: [camera.recognized_count, camera.unrecognized_count],
    })),
    formatValue: (value: number) => formatNumber(value),
    onOpen: onChoose,
  };
  return (
    <ChartView data={data}>
      <BarList data={data} selected={chosen} />
    </ChartView>
  );
}
