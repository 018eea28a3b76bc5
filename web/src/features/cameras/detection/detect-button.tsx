import type { Camera } from '@nazar/contract/cameras.ts';
import { ScanFace } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { useDetection } from './detection-scope.tsx';
import { useBoxesShown, useOwnDetection } from './use-detecting.ts';

export interface DetectSwitch {
  readonly runs: boolean;
  readonly label: string;
  readonly isStopping: boolean;
  readonly toggle: () => void;
}

/** What others watch is joined by starting it. */
export function useDetectSwitch(camera: Camera): DetectSwitch {
  const { t } = useTranslation();
  const detection = useDetection();
  const own = useOwnDetection(camera.id);
  const shown = useBoxesShown(camera);
  const [isStopping, setStopping] = useState(false);
  const runs = own !== null || shown;
  const stop = (): void => {
    setStopping(true);
    void detection.stop(camera).finally(() => setStopping(false));
  };
  const label = runs ? t('detecting.stopDetecting') : t('detecting.detect');
  return { runs, label, isStopping, toggle: runs ? stop : () => detection.start(camera) };
}

export function DetectButton({ runs, label, isStopping, toggle }: DetectSwitch) {
  return (
    <Button look={runs ? 'secondary' : 'ghost'} size="small" busy={isStopping} onClick={toggle}>
      <ScanFace aria-hidden />
      {label}
    </Button>
  );
}
