import type { Face, FaceImage } from '@nazar/contract/faces.ts';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { mayChangeFace } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { joined } from '#lib/joined.ts';
import { FaceChoice } from '#parts/face-choice.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { useMutation } from '@tanstack/react-query';
import { facesOf, sendFaceIndex } from '../queries.ts';

export interface KeptFaceChoiceProps {
  face: Face;
  image: FaceImage;
  /** Which of the photos it is, from 1. */
  number: number;
}

/** Where a kept photo shows several people: which of them is the person, by one press. */
export function KeptFaceChoice({ face, image, number }: KeptFaceChoiceProps) {
  const { t } = useTranslation();
  const user = useUser();
  const look = useMutation({ mutationFn: () => facesOf(face.id, image) });
  const choose = useChange('faces', (index: number) => sendFaceIndex(face.id, image.id, index));
  if (image.fault !== 'several_faces' || !mayChangeFace(user, face)) return null;
  const label = t('photo.chooseFace');
  return (
    <div className="mt-1.5 grid justify-items-start gap-2">
      {look.data === undefined ? (
        <Button
          look="secondary"
          size="small"
          busy={look.isPending}
          aria-label={joined([label, t('photo.number', { number })], ': ')}
          onClick={() => look.mutate()}
        >
          {label}
        </Button>
      ) : (
        <FaceChoice
          photo={look.data.photo}
          checked={look.data.checked}
          meant={choose.variables ?? null}
          disabled={choose.isPending}
          onChoose={(index) => choose.mutate(index)}
        />
      )}
      {look.isError && <Banner tone="error">{problemSentence(look.error)}</Banner>}
      {choose.isError && <Banner tone="error">{choose.error.message}</Banner>}
    </div>
  );
}
