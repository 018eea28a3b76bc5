import type { CheckedPhoto } from '@nazar/contract/recognition.ts';
import {
  CircleCheck,
  CircleX,
  Copy,
  ImageOff,
  RotateCw,
  TriangleAlert,
  UserRoundSearch,
  X,
} from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Spinner } from '#ui/spinner.tsx';
import type { ChosenFile } from './chosen-file.ts';
import { FaceChoice } from './face-choice.tsx';
import { LocalPhoto } from './local-photo.tsx';
import { isHeic, previewOf } from './shown-photo.ts';
import { usePhotoCheck, type PhotoCheck } from './use-photo-check.ts';

export interface ChosenPhotoProps {
  photo: ChosenFile;
  /** Whose photo it is to be; absent: a new person. */
  faceId?: string | undefined;
  onChoose: (faceIndex: number) => void;
  onRemove: () => void;
}

/** A photo that waits to be sent: its faces, which is meant, and what it would be worth. */
export function ChosenPhoto({ photo, faceId, onChoose, onRemove }: ChosenPhotoProps) {
  const { t } = useTranslation();
  const { file, faceIndex } = photo;
  const [isReadable, setReadable] = useState(!isHeic(file));
  const check = usePhotoCheck(photo, faceId, !isReadable);
  const said = check.state === 'checked' ? check.said : null;
  const preview = useMemo(() => said && previewOf(said), [said]);
  const shown = preview ?? (isReadable ? { photo: file, checked: said } : null);
  return (
    <li className="grid grid-cols-1 gap-3 rounded-control border border-line p-2">
      <div className="flex items-start gap-3">
        {shown === null ? (
          <NoPreview name={file.name} />
        ) : (
          <LocalPhoto
            photo={shown.photo}
            alt={file.name}
            upright={shown.checked}
            onUnreadable={() => setReadable(false)}
            className="w-28 shrink-0 self-start rounded-md"
          >
            {said !== null && <FaceMarks faces={said.faces} />}
          </LocalPhoto>
        )}
        <div className="grid min-w-0 flex-1 grid-cols-1 gap-1 text-ui" aria-live="polite">
          <Verdict check={check} />
        </div>
        <IconButton label={t('photo.remove', { name: file.name })} small onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      </div>
      {said !== null && shown?.checked && said.faces.length > 1 && (
        <FaceChoice
          photo={shown.photo}
          checked={shown.checked}
          meant={faceIndex ?? indexOfChosen(said)}
          onChoose={onChoose}
        />
      )}
    </li>
  );
}

/** Stands for a file that this browser cannot show, until the server sends its picture; and after, where it has none. */
function NoPreview({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <div className="grid aspect-4/3 w-28 shrink-0 place-content-center justify-items-center gap-1 self-start rounded-md bg-surface-3 p-2 text-center text-meta text-muted">
      <ImageOff aria-hidden className="size-5" />
      <span>{t('photo.noPreview')}</span>
      <span className="sr-only">{name}</span>
    </div>
  );
}

function indexOfChosen({ faces }: Pick<CheckedPhoto, 'faces'>): number | null {
  const index = faces.findIndex(({ chosen }) => chosen);
  return index < 0 ? null : index;
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
  if (check.state === 'waiting') {
    return <Line icon={<Spinner />}>{t('photo.waiting')}</Line>;
  }
  if (check.state === 'refused') {
    return (
      <Line icon={<CircleX />} tone="text-danger-text">
        {check.sentence}
      </Line>
    );
  }
  if (check.state === 'failed') {
    return (
      <Line icon={<TriangleAlert />} tone="text-muted">
        {t('photo.unchecked', { reason: check.sentence })}
      </Line>
    );
  }
  const { faces, fault, turned, duplicate_of, similar } = check.said;
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
      {turned !== 0 && <Line icon={<RotateCw />}>{t('photo.turned')}</Line>}
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
