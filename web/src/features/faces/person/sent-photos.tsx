import type { Face, FaceImage } from '@nazar/contract/faces.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Actions } from '#ui/dialog.tsx';
import { PhotoResults } from './photo-results.tsx';

export interface SentPhotosProps {
  face: Face;
  /** The photos this is about: those that were just sent. */
  sent: readonly FaceImage[];
  onClose: () => void;
  onMore: () => void;
}

/** Tells of each photo whether it serves, and offers to send others. */
export function SentPhotos({ face, sent, onClose, onMore }: SentPhotosProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-4">
      <Banner tone={face.usable_images > 0 ? 'success' : 'error'}>
        {face.usable_images > 0
          ? t('faces.savedUsable', { count: face.usable_images })
          : t('faces.savedUnusable')}
      </Banner>
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
