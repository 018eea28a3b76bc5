import type { Face, FaceImage } from '@nazar/contract/faces.ts';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { SecureImage } from '#parts/secure-image.tsx';
import { thumbnail } from '#parts/thumbnail.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { removeImage } from '../queries.ts';
import { KeptFaceChoice } from './kept-face-choice.tsx';
import { DoubtAnswer } from './photo-doubt.tsx';
import { PhotoVerdict } from './photo-results.tsx';

/** The photos a person has; each can be taken away, at once and for good. */
export function KeptPhotos({ face }: { face: Face }) {
  const { t } = useTranslation();
  const [doomed, setDoomed] = useState<{ image: FaceImage; number: number } | null>(null);
  const remove = useChange('faces', (image: FaceImage) => removeImage(face.id, image.id));
  if (face.images.length === 0) return <p className="text-ui text-muted">{t('photo.none')}</p>;
  return (
    <section aria-label={t('photo.title')} className="grid gap-2">
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {face.images.map((image, index) => (
          <li
            key={image.id}
            className="flex items-center gap-3 rounded-control border border-line p-2"
          >
            <SecureImage
              src={thumbnail(image.image)}
              alt={t('photo.number', { number: index + 1 })}
              className="size-14 shrink-0 rounded-md"
              fallback={<Skeleton className="size-14 shrink-0" />}
            />
            <div className="min-w-0 flex-1">
              <PhotoVerdict image={image} />
              <DoubtAnswer face={face} image={image} number={index + 1} />
              <KeptFaceChoice face={face} image={image} number={index + 1} />
            </div>
            <IconButton
              label={t('photo.removeNumber', { number: index + 1 })}
              small
              onClick={() => setDoomed({ image, number: index + 1 })}
            >
              <X aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <AlertDialog
        open={doomed !== null}
        danger
        title={t('photo.removeTitle', { number: doomed?.number ?? 0 })}
        description={t('photo.removeText')}
        confirmLabel={t('photo.removeConfirm')}
        busy={remove.isPending}
        error={remove.isError && <Banner tone="error">{problemSentence(remove.error)}</Banner>}
        onClose={() => {
          setDoomed(null);
          remove.reset();
        }}
        onConfirm={() =>
          doomed !== null && remove.mutate(doomed.image, { onSuccess: () => setDoomed(null) })
        }
      />
    </section>
  );
}
