import { useTranslation } from '#lib/i18n.ts';
import { Dialog } from '#ui/dialog.tsx';
import { useFace } from '../queries.ts';
import { fullName } from '../recognition.ts';
import { ImagesForm, type ImagesFormProps } from './images-form.tsx';

export function ImagesDialog({ face: known, onClose, onDone }: ImagesFormProps) {
  const { t } = useTranslation();
  const face = useFace(known);
  return (
    <Dialog
      open
      title={t('faces.addImages')}
      description={t('faces.addImagesText', { name: fullName(face) })}
      onClose={onClose}
    >
      <ImagesForm face={face} onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}
