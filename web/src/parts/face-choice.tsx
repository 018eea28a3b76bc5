import type { CheckedPhoto } from '@nazar/contract/recognition.ts';
import { useId } from 'react';
import { cx } from '#lib/class-names.ts';
import { useTranslation } from '#lib/i18n.ts';
import { LocalPhoto } from './local-photo.tsx';

export interface FaceChoiceProps {
  photo: Blob;
  checked: Pick<CheckedPhoto, 'faces' | 'width' | 'height' | 'turned'>;
  /** The place of the face that is meant; null: it is not known which. */
  meant: number | null;
  onChoose: (faceIndex: number) => void;
  disabled?: boolean;
}

/** The side of the picture of a face, in CSS pixels, and how much of the photo it shows, in sides of the face. */
const SIDE_PX = 56;
const AROUND = 1.5;

/** The faces of a photo one beside another: one press says which is meant. */
export function FaceChoice({ photo, checked, meant, onChoose, disabled = false }: FaceChoiceProps) {
  const { t } = useTranslation();
  const name = useId();
  const { faces, ...upright } = checked;
  return (
    <fieldset className="min-w-0" disabled={disabled}>
      <legend className="mb-1.5 text-ui font-medium">{t('photo.whichFace')}</legend>
      <div className="flex flex-wrap gap-2">
        {faces.map((face, index) => (
          <label
            // oxlint-disable-next-line react/no-array-index-key -- the place in this list is what names a face
            key={index}
            className={cx(
              'cursor-pointer overflow-hidden rounded-control border-2 transition-colors duration-100',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
              index === meant
                ? 'border-primary ring-2 ring-primary'
                : 'border-line-strong/60 hover:border-line-strong',
            )}
          >
            <input
              type="radio"
              name={name}
              value={index}
              checked={index === meant}
              onChange={() => onChoose(index)}
              className="sr-only"
              aria-label={t('photo.faceNumber', { number: index + 1, total: faces.length })}
            />
            <FaceCrop photo={photo} upright={upright} face={face} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface FaceCropProps {
  photo: Blob;
  upright: Pick<CheckedPhoto, 'width' | 'height' | 'turned'>;
  face: CheckedPhoto['faces'][number];
}

/** A face out of its photo: the photo, enlarged and moved under a small window. */
function FaceCrop({ photo, upright, face }: FaceCropProps) {
  const { width, height } = upright;
  const side = AROUND * Math.max(face.width * width, face.height * height);
  const scale = SIDE_PX / side;
  const left = ((face.x + face.width / 2) * width - side / 2) * scale;
  const top = ((face.y + face.height / 2) * height - side / 2) * scale;
  return (
    <span
      aria-hidden
      className="relative block overflow-hidden bg-surface-3"
      style={{ width: SIDE_PX, height: SIDE_PX }}
    >
      <span className="absolute block" style={{ width: width * scale, left: -left, top: -top }}>
        <LocalPhoto photo={photo} alt="" upright={upright} />
      </span>
    </span>
  );
}
