import type { Camera } from '@nazar/contract/cameras.ts';
import { useTranslation } from '#lib/i18n.ts';

/** How long of the last 24 h it was online; nothing where nobody knows. */
export function OnlineLine({ camera }: { camera: Camera }) {
  const { t } = useTranslation();
  const { online_24h_s: seconds } = camera;
  if (seconds === null) return null;
  const minutes = Math.floor(seconds / 60);
  return (
    <p className="figures text-meta text-muted">
      {t('cameraFilters.online', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })}
    </p>
  );
}
