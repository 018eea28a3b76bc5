/** What stands in place of a picture. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { Camera as CameraIcon, TriangleAlert, VideoOff, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';

export function Placeholder({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="absolute inset-0 grid place-content-center justify-items-center gap-2 bg-surface-2 p-4 text-center text-ui font-medium text-muted [&_svg]:size-8 [&_svg]:stroke-[1.5]">
      {icon}
      {children}
    </div>
  );
}

/** Why there is no picture to show; null for a camera that can be watched. */
export function useNothingToShow(camera: Camera, noUrlText: string | undefined): ReactNode {
  const { t } = useTranslation();
  switch (camera.status) {
    case 'inactive':
      return <Placeholder icon={<VideoOff aria-hidden />}>{t('player.inactive')}</Placeholder>;
    case 'maintenance':
      return <Placeholder icon={<Wrench aria-hidden />}>{t('player.maintenance')}</Placeholder>;
    case 'error':
      return <Placeholder icon={<TriangleAlert aria-hidden />}>{t('player.error')}</Placeholder>;
    default:
      if (camera.has_url) return null;
      return (
        <Placeholder icon={<CameraIcon aria-hidden />}>
          {noUrlText ?? t('player.noUrl')}
        </Placeholder>
      );
  }
}
