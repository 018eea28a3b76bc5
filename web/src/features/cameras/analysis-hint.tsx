/** How many frames of a camera are really analyzed, below the field that asks for them, and what keeps them down. */
import type { Camera, CameraFields } from '@nazar/contract/cameras.ts';
import { useWatch } from 'react-hook-form';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import type { z } from 'zod/mini';
import type { ContractForm } from '#parts/use-contract-form.ts';
import { mayKnowCost, useCameraCost } from './live/use-camera-cost.ts';

interface AnalysisHintProps {
  form: ContractForm<z.input<typeof CameraFields>, CameraFields>;
  camera: Camera;
}

export function AnalysisHint({ form, camera }: AnalysisHintProps) {
  const { t } = useTranslation();
  const chosen = useWatch({ control: form.control, name: 'fps' });
  // What is measured belongs to what is saved.
  const isMeasured = chosen === camera.fps && camera.status === 'active' && mayKnowCost(camera);
  return isMeasured ? <Measured camera={camera} /> : t('cameras.fpsHint');
}

function Measured({ camera }: { camera: Camera }) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const { analyzed_fps = null, analysis_limit = null } = useCameraCost(camera) ?? {};
  if (analyzed_fps === null) return t('cameras.fpsHint');
  const value = t('cameras.picturesPerSecond', {
    value: formatNumber(analyzed_fps, { maximumFractionDigits: 1 }),
  });
  return t(`cameras.fpsAnalyzed.${analysis_limit ?? 'asked'}`, { value });
}
