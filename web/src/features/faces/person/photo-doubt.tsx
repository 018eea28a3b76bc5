import type { Face, FaceImage } from '@nazar/contract/faces.ts';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { mayChangeFace } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { joined } from '#lib/joined.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { sendUseImage } from '../queries.ts';

type Doubt = NonNullable<FaceImage['doubt']>;

/** Why a photo may not show the person, and whether it is used until a user has checked it. */
export function DoubtVerdict({ doubt }: { doubt: Doubt }) {
  const { t } = useTranslation();
  const { reason, name, set_aside } = doubt;
  const why =
    reason === 'fits_other_person' && name !== null
      ? t('photoDoubt.fits_other_person', { name })
      : t(reason === 'fits_other_person' ? 'photoDoubt.fits_someone' : `photoDoubt.${reason}`);
  return (
    <span className="flex items-start gap-1.5 text-ui text-unrecognized-text">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">
        {t(set_aside ? 'photoDoubt.setAside' : 'photoDoubt.check')} {why}
      </span>
    </span>
  );
}

export interface DoubtAnswerProps {
  face: Face;
  image: FaceImage;
  /** Which of the photos it is, from 1. */
  number: number;
}

/** One press confirms that the photo shows the person, for users who may change the person. */
export function DoubtAnswer({ face, image, number }: DoubtAnswerProps) {
  const { t } = useTranslation();
  const user = useUser();
  const change = useChange('faces', () => sendUseImage(face.id, image.id));
  if (image.doubt === null || !mayChangeFace(user, face)) return null;
  const label = t(image.doubt.set_aside ? 'photoDoubt.useAgain' : 'photoDoubt.keep');
  return (
    <div className="mt-1.5 grid justify-items-start gap-2">
      <Button
        look="secondary"
        size="small"
        busy={change.isPending}
        aria-label={joined([label, t('photo.number', { number })], ': ')}
        onClick={() => change.mutate()}
      >
        {label}
      </Button>
      {change.isError && <Banner tone="error">{problemSentence(change.error)}</Banner>}
    </div>
  );
}
