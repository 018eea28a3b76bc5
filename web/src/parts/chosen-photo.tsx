import type { CheckedPhoto } from '@nazar/contract/recognition.ts';
import { CircleCheck, Copy, TriangleAlert, UserRoundSearch, X } from 'lucide-react';
import { useCallback, type ReactNode, type RefCallback } from 'react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { usePhotoCheck, type PhotoCheck } from './use-photo-check.ts';

export interface ChosenPhotoProps {
  photo: File;
  /** Whose photo it is to be; absent: somebody new. */
  faceId?: string | undefined;
  onRemove: () => void;
}

/** A photo that waits to be sent: its faces, which is meant, and what it would be worth. */
export function ChosenPhoto({ photo, faceId, onRemove }: ChosenPhotoProps) {
  const { t } = useTranslation();
  const check = usePhotoCheck(photo, faceId);
  const file = useFileOf(photo);
  return (
    <li className="flex items-start gap-3 rounded-control border border-line p-2">
      <span className="relative shrink-0 overflow-hidden rounded-md">
        <img ref={file} alt={photo.name} className="block max-h-28 max-w-32" />
        {check.state === 'checked' && <FaceMarks faces={check.said.faces} />}
      </span>
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1 text-ui" aria-live="polite">
        <Verdict check={check} />
      </div>
      <IconButton label={t('photo.remove', { name: photo.name })} small onClick={onRemove}>
        <X aria-hidden />
      </IconButton>
    </li>
  );
}

/** What shows a file in an image, for as long as the image is there. */
function useFileOf(photo: File): RefCallback<HTMLImageElement> {
  return useCallback(
    (image) => {
      if (image === null) return undefined;
      const url = URL.createObjectURL(photo);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [photo],
  );
}

/** Where the faces are; the words beside them say the same. */
function FaceMarks({ faces }: Pick<CheckedPhoto, 'faces'>) {
  return faces.map(({ x, y, width, height, chosen }) => (
    <span
      key={`${x} ${y}`}
      aria-hidden
      className={cx(
        'absolute rounded-sm border-2',
        chosen ? 'border-success' : 'border-unrecognized',
      )}
      style={{
        left: `${x * 100}%`,
        top: `${y * 100}%`,
        width: `${width * 100}%`,
        height: `${height * 100}%`,
      }}
    />
  ));
}

function Verdict({ check }: { check: PhotoCheck }) {
  const { t } = useTranslation();
  const { formatPercent } = useFormat();
  if (check.state === 'checking') {
    return <Line icon={<Spinner />}>{t('photo.checking')}</Line>;
  }
  if (check.state === 'failed') {
    return (
      <Line icon={<TriangleAlert />} tone="text-muted">
        {t('photo.unchecked', { reason: check.sentence })}
      </Line>
    );
  }
  const { faces, fault, duplicate_of, similar } = check.said;
  const quality = faces.find(({ chosen }) => chosen)?.quality ?? 0;
  return (
    <>
      {fault === null ? (
        <Line icon={<CircleCheck />} tone="text-success-text">
          {t('photo.serves', { percent: formatPercent(quality) })}
        </Line>
      ) : (
        <Line icon={<TriangleAlert />} tone="text-unrecognized-text">
          {t(`problem:fault.${fault}`)}
        </Line>
      )}
      {duplicate_of !== null && <Line icon={<Copy />}>{t('photo.duplicate')}</Line>}
      {similar.map(({ face, name, probability }) => (
        <Line key={face} icon={<UserRoundSearch />} tone="text-unrecognized-text">
          {t('photo.similar', { name, percent: formatPercent(probability) })}
        </Line>
      ))}
    </>
  );
}

function Line({ icon, tone, children }: { icon: ReactNode; tone?: string; children: ReactNode }) {
  return (
    <p
      className={cx(
        'flex items-start gap-1.5 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0',
        tone,
      )}
    >
      <span aria-hidden>{icon}</span>
      <span className="min-w-0">{children}</span>
    </p>
  );
}
