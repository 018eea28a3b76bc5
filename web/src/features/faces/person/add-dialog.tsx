import type { EnrolledFace } from '@nazar/contract/faces.ts';
import type { Visit } from '@nazar/contract/visits.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useChange } from '#api/query.ts';
import { SendingProblem, type SendingProblemProps } from '#parts/refused-photos.tsx';
import { showProblem } from '#parts/use-contract-form.ts';
import { Dialog } from '#ui/dialog.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { addFace } from '../queries.ts';
import { fullName } from '../recognition.ts';
import { ImagesForm } from './images-form.tsx';
import { PersonFields } from './person-fields.tsx';
import { emptyPerson, usePersonForm } from './person-form.ts';
import { isEmpty, noPhotos, PhotoChoice, type Photos } from './photo-choice.tsx';
import { SentPhotos } from './sent-photos.tsx';

export interface AddDialogProps {
  /** The visit that becomes the first photo. */
  seen?: Visit | undefined;
  onClose: () => void;
  /** Everything went well; the dialog is no longer needed. */
  onDone: (sentence: string) => void;
}

function AddForm({
  seen,
  onClose,
  onAdded,
}: {
  seen: Visit | undefined;
  onClose: () => void;
  onAdded: (face: EnrolledFace) => void;
}) {
  const { t } = useTranslation();
  const form = usePersonForm(emptyPerson);
  const [photos, setPhotos] = useState<Photos>({ ...noPhotos, seen: seen ?? null });
  const [failure, setFailure] = useState<SendingProblemProps | null>(null);
  const add = useChange('faces', addFace);
  const missing = form.formState.isSubmitted && isEmpty(photos);

  const submit = form.handleSubmit(async (fields) => {
    if (isEmpty(photos)) return;
    setFailure(null);
    try {
      onAdded(await add.mutateAsync({ fields, files: photos.files, visitId: photos.seen?.id }));
    } catch (error) {
      setFailure({ error, sentence: showProblem(form, error) });
    }
  });

  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <PhotoChoice
        photos={photos}
        onChange={setPhotos}
        offerSeen
        error={missing ? t('person.imageRequired') : undefined}
      />
      <PersonFields form={form} />
      {failure !== null && <SendingProblem {...failure} />}
      <FormActions
        label={t('faces.add')}
        busy={add.isPending}
        onCancel={onClose}
        className="mt-0"
      />
    </form>
  );
}

/** Stays open when a photo does not serve, to say so and to take another. */
export function AddDialog({ seen, onClose, onDone }: AddDialogProps) {
  const { t } = useTranslation();
  const [added, setAdded] = useState<EnrolledFace | null>(null);
  const [more, setMore] = useState(false);
  const finish = (face: EnrolledFace): void => {
    if (face.refused_images.length === 0 && face.images.every((image) => image.usable)) {
      onDone(t('faces.added', { name: fullName(face), count: face.usable_images }));
    } else setAdded(face);
  };
  return (
    <Dialog
      open
      width="large"
      title={added === null ? t('faces.add') : fullName(added)}
      {...(added === null && { description: t('faces.addText') })}
      onClose={onClose}
    >
      {added === null && <AddForm seen={seen} onClose={onClose} onAdded={finish} />}
      {added !== null && more && <ImagesForm face={added} onClose={onClose} onDone={onDone} />}
      {added !== null && !more && (
        <SentPhotos
          face={added}
          sent={added.images}
          refused={added.refused_images}
          onClose={onClose}
          onMore={() => setMore(true)}
        />
      )}
    </Dialog>
  );
}
