import type { Face } from '@nazar/contract/faces.ts';
import { Link } from '@tanstack/react-router';
import { CircleSlash, Images, TriangleAlert, Users } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { Badge } from '#ui/badge.tsx';
import { imageCount, useNotRecognized } from '../recognition.ts';

/** Stands on a picture. */
export function ImageCountBadge({ face }: { face: Face }) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const count = imageCount(face);
  return (
    <span className="inline-flex items-center gap-1 rounded-full bg-black/60 px-2 py-0.5 text-meta font-medium text-white">
      <Images aria-hidden className="size-3" />
      <span aria-hidden className="figures">
        {formatNumber(count)}
      </span>
      <span className="sr-only">{t('faces.images', { count })}</span>
    </span>
  );
}

export function InactiveBadge() {
  const { t } = useTranslation();
  return (
    <Badge tone="neutral" icon={<CircleSlash aria-hidden />}>
      {t('faces.inactive')}
    </Badge>
  );
}

/** Says why cameras do not know this face yet; absent when they do. */
export function NotRecognizedNote({ face }: { face: Face }) {
  const reason = useNotRecognized()(face);
  if (reason === null) return null;
  return (
    <p className="flex items-start gap-1.5 text-meta font-medium text-unrecognized-text">
      <TriangleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
      {reason}
    </p>
  );
}

/** How many photos may not show the person; absent where all do. */
export function DoubtNote({ face }: { face: Face }) {
  const { t } = useTranslation();
  const count = face.images.filter((image) => image.doubt !== null).length;
  if (count === 0) return null;
  return (
    <p className="flex items-start gap-1.5 text-meta font-medium text-unrecognized-text">
      <TriangleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
      {t('photoDoubt.toCheck', { count })}
    </p>
  );
}

/** Who may be enrolled twice. Each name leads to the people of that name. */
export function SimilarNotes({ face }: { face: Face }) {
  const { t } = useTranslation();
  const { formatPercent } = useFormat();
  return face.similar.map(({ face: id, name, probability }) => (
    <p key={id} className="flex items-start gap-1.5 text-meta font-medium text-unrecognized-text">
      <Users aria-hidden className="mt-px size-3.5 shrink-0" />
      <Link
        to="/face-database"
        search={{ search: name }}
        className="min-w-0 break-words underline-offset-4 hover:underline"
      >
        {t('photo.similar', { name, percent: formatPercent(probability) })}
      </Link>
    </p>
  ));
}
