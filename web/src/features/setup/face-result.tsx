import { faceRoutes, type EnrolledFace } from '@nazar/contract/faces.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { retryWhileBusy } from '#api/busy.ts';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { appendPhotos, type ChosenFile } from '#parts/chosen-file.ts';
import { PhotoInput } from '#parts/photo-input.tsx';
import { RefusedPhotos, SendingProblem } from '#parts/refused-photos.tsx';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';

export interface FaceResultProps {
  face: EnrolledFace;
  onChanged: (face: EnrolledFace) => void;
  onDone: () => void;
}

/** Whether recognition can use the photo, and another try where it cannot. */
export function FaceResult({ face, onChanged, onDone }: FaceResultProps) {
  const { t } = useTranslation();
  const [photos, setPhotos] = useState<readonly ChosenFile[]>([]);
  const add = useChange('faces', (files: readonly ChosenFile[]) => {
    const form = appendPhotos(new FormData(), files);
    return retryWhileBusy(() => call(faceRoutes.addImages, { params: { id: face.id }, form }));
  });
  const name = `${face.first_name} ${face.last_name}`;
  const fault = face.images.at(-1)?.fault ?? null;
  if (face.usable_images > 0) {
    return (
      <>
        <div className="grid grid-cols-1 gap-4">
          <Banner tone="success">{t('setup.faceAdded', { name })}</Banner>
          <RefusedPhotos refused={face.refused_images} />
        </div>
        <Actions>
          <Button onClick={onDone}>{t('setup.finish')}</Button>
        </Actions>
      </>
    );
  }
  return (
    <div className="grid gap-4">
      <Banner tone="error">
        {t('setup.faceUnusable', { name })}
        {fault !== null && <span className="block font-normal">{t(`problem:fault.${fault}`)}</span>}
      </Banner>
      <RefusedPhotos refused={face.refused_images} />
      {add.isError && <SendingProblem error={add.error} sentence={problemSentence(add.error)} />}
      <PhotoInput photos={photos} faceId={face.id} onChange={setPhotos} />
      <Actions>
        <Button look="secondary" onClick={onDone}>
          {t('setup.finish')}
        </Button>
        <Button
          busy={add.isPending}
          disabled={photos.length === 0}
          onClick={() =>
            add.mutate(photos, {
              onSuccess: (changed) => {
                setPhotos([]);
                onChanged(changed);
              },
            })
          }
        >
          {t('setup.addPhoto')}
        </Button>
      </Actions>
    </div>
  );
}
