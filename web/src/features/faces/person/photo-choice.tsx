import type { Visit } from '@nazar/contract/visits.ts';
import { Camera, ScanEye, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useUnsaved } from '#lib/unsaved.ts';
import { asChosen, type ChosenFile } from '#parts/chosen-file.ts';
import { PhotoInput } from '#parts/photo-input.tsx';
import { SecureImage } from '#parts/secure-image.tsx';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { CameraCapture, canCapture } from './camera-capture.tsx';
import { SeenStrip } from './seen-strip.tsx';

/** Photos that wait to be sent. */
export interface Photos {
  readonly files: readonly ChosenFile[];
  /** The visit whose picture becomes the first photo. */
  readonly seen: Visit | null;
}

export const noPhotos: Photos = { files: [], seen: null };
export const isEmpty = ({ files, seen }: Photos): boolean => files.length === 0 && seen === null;

export interface PhotoChoiceProps {
  photos: Photos;
  onChange: (photos: Photos) => void;
  /** Only a new person can begin with the picture of a visit. */
  offerSeen?: boolean;
  /** Whose photos they are to be; absent: a new person. */
  faceId?: string | undefined;
  error?: string | undefined;
}

/** Photos from files, from this device's camera, or from what a camera sees now. */
export function PhotoChoice({
  photos,
  onChange,
  offerSeen = false,
  faceId,
  error,
}: PhotoChoiceProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'camera' | 'seen' | null>(null);
  const { files, seen } = photos;
  const [begunWith] = useState(photos);
  useUnsaved(() => files.length > 0 || seen !== begunWith.seen);
  const toggle = (what: 'camera' | 'seen') => setOpen(open === what ? null : what);
  return (
    <div className="grid gap-3">
      {seen !== null && (
        <div className="flex items-center gap-3 rounded-control border border-line p-2">
          <SecureImage
            src={seen.face_image_url}
            alt=""
            className="size-14 rounded-md"
            fallback={null}
          />
          <p className="min-w-0 flex-1 text-ui">
            {t('photo.fromVisit', { camera: seen.camera_name })}
          </p>
          <IconButton
            label={t('photo.removeVisit')}
            small
            onClick={() => onChange({ ...photos, seen: null })}
          >
            <X aria-hidden />
          </IconButton>
        </div>
      )}
      <PhotoInput
        photos={files}
        faceId={faceId}
        onChange={(next) => onChange({ ...photos, files: next })}
        error={error}
      />
      {(offerSeen || canCapture()) && (
        <div className="flex flex-wrap gap-2">
          {canCapture() && (
            <Button
              look="secondary"
              size="small"
              aria-expanded={open === 'camera'}
              onClick={() => toggle('camera')}
            >
              <Camera aria-hidden />
              {t('photo.take')}
            </Button>
          )}
          {offerSeen && (
            <Button
              look="secondary"
              size="small"
              aria-expanded={open === 'seen'}
              onClick={() => toggle('seen')}
            >
              <ScanEye aria-hidden />
              {t('photo.seenNow')}
            </Button>
          )}
        </div>
      )}
      {open === 'camera' && (
        <CameraCapture
          onPhoto={(photo) => onChange({ ...photos, files: [...files, asChosen(photo)] })}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'seen' && (
        <SeenStrip chosen={seen} onChoose={(visit) => onChange({ ...photos, seen: visit })} />
      )}
    </div>
  );
}
