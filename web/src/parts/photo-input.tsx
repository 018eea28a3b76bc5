import { CircleAlert } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { FileInput } from '#ui/file-input.tsx';
import { asChosen, type ChosenFile } from './chosen-file.ts';
import { ChosenPhoto } from './chosen-photo.tsx';

export interface PhotoInputProps {
  photos: readonly ChosenFile[];
  onChange: (photos: readonly ChosenFile[]) => void;
  /** Whose photos they are to be; absent: a new person. */
  faceId?: string | undefined;
  error?: string | undefined;
}

/** Photos of a face to be uploaded: drop, choose, read what each is worth, say which face is meant, take away again. */
export function PhotoInput({ photos, onChange, faceId, error }: PhotoInputProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-2">
      <FileInput
        accept={isTouch() ? kinds : `${kinds},${heic}`}
        multiple
        prompt={t('photo.prompt')}
        hint={t('photo.hint')}
        aria-invalid={error !== undefined}
        onFiles={(files) => onChange([...photos, ...files.map(asChosen)])}
      />
      {error !== undefined && (
        <p role="alert" className="flex items-start gap-1 text-meta text-danger-text">
          <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
          {error}
        </p>
      )}
      {photos.length > 0 && (
        <ul aria-label={t('photo.chosen')} className="grid gap-2">
          {photos.map((photo) => (
            <ChosenPhoto
              key={numberOf(photo.file)}
              photo={photo}
              faceId={faceId}
              onChoose={(faceIndex) =>
                onChange(photos.map((other) => (other === photo ? { ...photo, faceIndex } : other)))
              }
              onRemove={() => onChange(photos.filter((other) => other !== photo))}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

const kinds = 'image/jpeg,image/png,image/webp,image/avif';
/** A phone that is not asked for them makes JPEGs of its photos, which browsers can show. */
const heic = 'image/heic,image/heif,.heic,.heif';
const isTouch = (): boolean => globalThis.matchMedia('(pointer: coarse)').matches;

/** A file has no identifier of its own, and must not be checked again when another is added. */
const numbers = new WeakMap<File, number>();
let given = 0;
function numberOf(photo: File): number {
  const number = numbers.get(photo) ?? (given += 1);
  numbers.set(photo, number);
  return number;
}
