/** The picture of a visit, who was seen where and when, with the ways to person, camera and recording. */
import type { DetailedVisit } from '@nazar/contract/visits.ts';
import { Link } from '@tanstack/react-router';
import { Film, UserX } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { DetectionBadge } from '#parts/detection-badge.tsx';
import { FacePicture } from '#parts/face-picture.tsx';
import { buttonClass } from '#ui/button.tsx';
import { Facts } from '#ui/data-list.tsx';
import { usePersonName } from '../use-person-name.ts';
import { PersonLink, wayLook } from './person-link.tsx';

export function VisitFacts({ visit }: { visit: DetailedVisit }) {
  const { t } = useTranslation();
  const { camera_id: cameraId } = visit;
  return (
    <div className="grid grid-cols-1 gap-5 sm:grid-cols-[12rem_1fr]">
      <Picture visit={visit} />
      <div className="grid content-start justify-items-start gap-4">
        <DetectionBadge recognized={visit.is_recognized} />
        <FactList visit={visit} />
        {visit.recorded_at !== null && (
          <Link
            to="/recordings/$cameraId"
            params={{ cameraId }}
            search={{ at: visit.recorded_at }}
            className={buttonClass('secondary', 'medium')}
          >
            <Film aria-hidden />
            {t('visit.openRecording')}
          </Link>
        )}
      </div>
    </div>
  );
}

function Picture({ visit }: { visit: DetailedVisit }) {
  const { t } = useTranslation();
  const nameOf = usePersonName();
  return (
    <FacePicture
      src={visit.face_image_url}
      isHidden={visit.picture_hidden}
      isLarge
      alt={t('panels.faceOf', { person: nameOf(visit) })}
      className="mx-auto aspect-square w-48 rounded-card"
      fallback={
        <div className="mx-auto grid aspect-square w-48 place-content-center justify-items-center gap-2 rounded-card bg-surface-2 p-3 text-center text-ui text-muted">
          <UserX aria-hidden className="size-10 text-line-strong" />
          {t('unknown.noPicture')}
        </div>
      }
    />
  );
}

function FactList({ visit }: { visit: DetailedVisit }) {
  const { t } = useTranslation();
  const { formatPercent, formatTime } = useFormat();
  const { timestamp, ended_at: end, location } = visit;
  const facts = [
    { name: t('visit.who'), value: <Who visit={visit} /> },
    {
      name: t('visit.where'),
      value: (
        <Link to="/cameras/$cameraId" params={{ cameraId: visit.camera_id }} className={wayLook}>
          {visit.camera_name}
        </Link>
      ),
    },
    ...(location === '' ? [] : [{ name: t('visit.place'), value: location }]),
    {
      name: t('visit.when'),
      value: (
        <time dateTime={timestamp}>
          {formatTime(timestamp, { dateStyle: 'full', timeStyle: 'long' })}
        </time>
      ),
    },
    {
      name: t('visit.until'),
      value: <time dateTime={end}>{formatTime(end, { timeStyle: 'medium' })}</time>,
    },
    // Where nothing was compared nothing stands: a user's word has no percentage.
    ...(visit.confidence === null
      ? []
      : [{ name: t('visit.confidence'), value: formatPercent(visit.confidence) }]),
  ];
  return <Facts facts={facts} />;
}

function Who({ visit }: { visit: DetailedVisit }) {
  const { t } = useTranslation();
  const nameOf = usePersonName();
  const { unknown } = visit;
  if (unknown === null) return <PersonLink id={visit.person_id} name={nameOf(visit)} />;
  return (
    <Link
      to="/face-database"
      search={{ view: 'unknown', stranger: unknown.id }}
      className={wayLook}
    >
      {t('strangers.name', { number: unknown.number })}
    </Link>
  );
}
