import type { Face, FaceImage, RefusedImage } from '@nazar/contract/faces.ts';
import { useTranslation } from '#lib/i18n.ts';
import { RefusedPhotos } from '#parts/refused-photos.tsx';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { PhotoResults } from './photo-results.tsx';

export interface SentPhotosProps {
  face: Face;
  /** The photos this is about: those that were just sent. */
  sent: readonly FaceImage[];
  /** Files that were sent with them and are not saved. */
  refused: readonly RefusedImage[];
  onClose: () => void;
  onMore: () => void;
}

/** Says of each photo whether it can be used, and which files are not saved, and offers to send others. */
export function SentPhotos({ face, sent, refused, onClose, onMore }: SentPhotosProps) {
  const { t } = useTranslation();
  const count = face.usable_images;
  const whatServes = sent.every(({ usable }) => usable)
    ? t('faces.savedAll', { count: sent.length })
    : t('faces.savedUsable', { count });
  return (
    <div className="grid grid-cols-1 gap-4">
      <Banner tone={count > 0 ? 'success' : 'error'}>
        {count > 0 ? whatServes : t('faces.savedUnusable')}
      </Banner>
      <RefusedPhotos refused={refused} />
      <PhotoResults images={sent} />
      <Actions className="mt-0">
        <Button look="secondary" onClick={onClose}>
          {t('ui.close')}
        </Button>
        <Button onClick={onMore}>{t('faces.addImages')}</Button>
      </Actions>
    </div>
  );
}
