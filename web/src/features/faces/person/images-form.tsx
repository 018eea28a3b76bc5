import type { EnrolledFace, Face, FaceImage, RefusedImage } from '@nazar/contract/faces.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import type { ChosenFile } from '#parts/chosen-file.ts';
import { SendingProblem } from '#parts/refused-photos.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { addImages } from '../queries.ts';
import { fullName } from '../recognition.ts';
import { isEmpty, noPhotos, PhotoChoice, type Photos } from './photo-choice.tsx';
import { SentPhotos } from './sent-photos.tsx';

export interface ImagesFormProps {
  face: Face;
  onClose: () => void;
  onDone: (sentence: string) => void;
}

interface Sent {
  readonly photos: readonly FaceImage[];
  readonly refused: readonly RefusedImage[];
}

export function ImagesForm({ face: known, onClose, onDone }: ImagesFormProps) {
  const { t } = useTranslation();
  const [photos, setPhotos] = useState<Photos>(noPhotos);
  const [tried, setTried] = useState(false);
  const [face, setFace] = useState(known);
  const [sent, setSent] = useState<Sent | null>(null);
  const add = useChange('faces', (files: readonly ChosenFile[]) => addImages(face.id, files));

  const finish = (changed: EnrolledFace): void => {
    const before = new Set(face.images.map((image) => image.id));
    const added = changed.images.filter((image) => !before.has(image.id));
    const refused = changed.refused_images;
    if (refused.length === 0 && added.every((image) => image.usable)) {
      onDone(t('faces.imagesAdded', { name: fullName(changed), count: added.length }));
      return;
    }
    setFace(changed);
    setSent({ photos: added, refused });
  };
  const again = (): void => {
    setSent(null);
    setPhotos(noPhotos);
    setTried(false);
  };

  if (sent !== null) {
    const { photos: saved, refused } = sent;
    return (
      <SentPhotos face={face} sent={saved} refused={refused} onClose={onClose} onMore={again} />
    );
  }
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!isEmpty(photos)) add.mutate(photos.files, { onSuccess: finish });
      }}
    >
      <PhotoChoice
        photos={photos}
        faceId={face.id}
        onChange={setPhotos}
        error={tried && isEmpty(photos) ? t('person.pleaseSelectImages') : undefined}
      />
      {add.isError && <SendingProblem error={add.error} sentence={problemSentence(add.error)} />}
      <FormActions
        label={t('faces.addImages')}
        busy={add.isPending}
        onCancel={onClose}
        className="mt-0"
      />
    </form>
  );
}
