import type { FaceImage } from '@nazar/contract/faces.ts';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { SecureImage } from '#parts/secure-image.tsx';
import { thumbnail } from '#parts/thumbnail.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import { DoubtVerdict } from './photo-doubt.tsx';

/** Whether recognition uses a photo, and if not, why. */
export function PhotoVerdict({ image }: { image: FaceImage }) {
  const { t } = useTranslation();
  if (image.doubt !== null) return <DoubtVerdict doubt={image.doubt} />;
  if (image.usable) {
    return (
      <span className="flex items-start gap-1.5 text-ui text-success-text">
        <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
        {t('photo.usable')}
      </span>
    );
  }
  return (
    <span className="flex items-start gap-1.5 text-ui text-unrecognized-text">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        {t('photo.unusable')} {image.fault !== null && t(`problem:fault.${image.fault}`)}
      </span>
    </span>
  );
}

/** What became of photos that were just sent. */
export function PhotoResults({ images }: { images: readonly FaceImage[] }) {
  const { t } = useTranslation();
  return (
    <ul aria-label={t('photo.results')} className="divide-y divide-line">
      {images.map((image, index) => (
        <li key={image.id} className="flex items-center gap-3 py-2">
          <SecureImage
            src={thumbnail(image.image)}
            alt={t('photo.number', { number: index + 1 })}
            className="size-14 rounded-control"
            fallback={<Skeleton className="size-14" />}
          />
          <PhotoVerdict image={image} />
        </li>
      ))}
    </ul>
  );
}
