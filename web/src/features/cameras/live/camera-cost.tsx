/** What a camera costs the server, by stage, below the statistics of its live view. */
import { cameraStages } from '@nazar/contract/camera-cost.ts';
import type { Camera } from '@nazar/contract/cameras.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Figures } from './figures.tsx';
import { useCameraCost } from './use-camera-cost.ts';

export function CameraCostFigures({ camera }: { camera: Camera }) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const cost = useCameraCost(camera);
  const percent = (cores: number): string =>
    formatNumber(cores, { style: 'percent', maximumFractionDigits: 1 });
  const analyzed = cost?.analyzed_fps ?? null;
  return (
    <div className="grid gap-0.5 border-t border-white/25 pt-2">
      <h3 className="font-medium">{t('cameraCost.title')}</h3>
      <Figures
        figures={cameraStages.map((stage) => {
          const cores = cost?.[stage] ?? null;
          return [
            t(`cameraCost.stage.${stage}`),
            cores === null ? t('cameraCost.notMeasured') : percent(cores),
          ];
        })}
      />
      <Figures
        figures={[
          [
            t('cameraCost.analyzed'),
            analyzed === null
              ? t('cameraCost.notMeasured')
              : t('cameras.picturesPerSecond', {
                  value: formatNumber(analyzed, { maximumFractionDigits: 1 }),
                }),
          ],
        ]}
      />
    </div>
  );
}
