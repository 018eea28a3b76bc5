import type { Camera } from '@nazar/contract/cameras.ts';
import { ScanFace } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { useDetection } from './detection-scope.tsx';
import { useBoxesShown, useOwnDetection } from './use-detecting.ts';

/** LIVE-002. What others watch is joined by starting it. */
export function DetectButton({ camera }: { camera: Camera }) {
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
  return (
    <Button
      look={runs ? 'secondary' : 'ghost'}
      size="small"
      busy={isStopping}
      onClick={runs ? stop : () => detection.start(camera)}
    >
      <ScanFace aria-hidden />
      <span className="sr-only sm:not-sr-only">
        {runs ? t('detecting.stopDetecting') : t('detecting.detect')}
      </span>
    </Button>
  );
}
