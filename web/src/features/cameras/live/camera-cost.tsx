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
  const perSecond = (fps: number): string =>
    t('cameras.picturesPerSecond', { value: formatNumber(fps, { maximumFractionDigits: 1 }) });
  const textOf = (figure: number | null | undefined, say: (figure: number) => string): string =>
    figure == null ? t('cameraCost.notMeasured') : say(figure);
  return (
    <div className="grid gap-0.5 border-t border-white/25 pt-2">
      <h3 className="font-medium">{t('cameraCost.title')}</h3>
      <Figures
        figures={[
          ...cameraStages.map(
            (stage) => [t(`cameraCost.stage.${stage}`), textOf(cost?.[stage], percent)] as const,
          ),
          [t('cameraCost.analyzed'), textOf(cost?.analyzed_fps, perSecond)],
        ]}
      />
    </div>
  );
}
