import type { Camera } from '@nazar/contract/cameras.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import { Banner } from '#ui/banner.tsx';
import { useDetection } from './detection-scope.tsx';
import { useDetectionWords } from './detection-words.ts';
import { useOwnDetection, useStreamViewers } from './use-detecting.ts';

/** Says before a user stops it that others are watching. */
function OtherViewers({ cameraId }: { cameraId: string }) {
  const { t } = useTranslation();
  const others = useStreamViewers(cameraId) - 1;
  if (others < 1) return null;
  return (
    <p className="px-4 py-1 text-meta text-muted">
      {t('detecting.watchedByOthers', { count: others })}
    </p>
  );
}

/** What detection by hand has to say in the Live View. */
export function DetectionBanner({ camera }: { camera: Camera }) {
  const { said } = useDetection();
  const now = useSignal(said);
  const words = useDetectionWords();
  const own = useOwnDetection(camera.id);
  const spoken = now === null ? null : words.said(now);
  return (
    <>
      {spoken !== null && (
        <div className="p-2">
          <Banner tone={spoken.tone} onClose={() => said.set(null)}>
            {spoken.sentence}
          </Banner>
        </div>
      )}
      {own !== null && <OtherViewers cameraId={camera.id} />}
    </>
  );
}
