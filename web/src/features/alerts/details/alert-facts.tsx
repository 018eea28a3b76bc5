/** The picture of the newest visit, and who, where and how often, with the ways to recording, person and camera. */
import type { AlertDetails } from '@nazar/contract/alerts.ts';
import { Link } from '@tanstack/react-router';
import { Film, UserX } from 'lucide-react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { AlertStatusBadge, LevelBadge } from '#parts/alerts/alert-badges.tsx';
import { FacePicture } from '#parts/face-picture.tsx';
import { shownName } from '#parts/shown-name.ts';
import { Badge } from '#ui/badge.tsx';
import { buttonClass } from '#ui/button.tsx';
import { Facts } from '#ui/data-list.tsx';
import type { ShownAlert } from '../shown-alert.ts';

type Details = AlertDetails & ShownAlert;

/** What led to it is seen before it happens. */
const LEAD_MS = 10_000;

export function AlertFacts({ alert }: { alert: Details }) {
  const { t } = useTranslation();
  const isOfPeople = alert.people !== null;
  return (
    <div
      className={
        isOfPeople ? 'grid grid-cols-1 gap-5 sm:grid-cols-[12rem_1fr]' : 'grid grid-cols-1'
      }
    >
      {isOfPeople && <Picture alert={alert} />}
      <div className="grid content-start justify-items-start gap-4">
        <span className="flex flex-wrap gap-1.5">
          <LevelBadge level={alert.level} />
          <AlertStatusBadge status={alert.status} />
          {alert.isUnsaved && <Badge tone="warning">{t('alerts.unsaved')}</Badge>}
        </span>
        <FactList alert={alert} />
        <RecordingLink alert={alert} />
      </div>
    </div>
  );
}

function Picture({ alert }: { alert: Details }) {
  const { t } = useTranslation();
  const name = alert.face_name === null ? alert.title : shownName(t, alert.face_name);
  return (
    <FacePicture
      src={alert.image}
      isHidden={alert.picture_hidden}
      isLarge
      alt={t('alerts.pictureOf', { name })}
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

function RecordingLink({ alert }: { alert: Details }) {
  const { t } = useTranslation();
  if (alert.camera === null) return null;
  const [newest] = alert.visits;
  const momentMs = Date.parse(newest?.timestamp ?? alert.created_at) - LEAD_MS;
  return (
    <Link
      to="/recordings/$cameraId"
      params={{ cameraId: alert.camera }}
      search={{ at: new Date(momentMs).toISOString() }}
      className={buttonClass('secondary')}
    >
      <Film aria-hidden />
      {t('alerts.playRecording')}
    </Link>
  );
}

const wayLook =
  '-my-0.5 inline-block py-0.5 text-primary-text underline-offset-4 [overflow-wrap:anywhere] hover:underline touch:my-0 touch:py-3';

function FactList({ alert }: { alert: Details }) {
  const { t } = useTranslation();
  const { formatNumber, formatTime } = useFormat();
  const time = (at: string) => <time dateTime={at}>{formatTime(at)}</time>;
  const { ended_at: ended, resolved_by_name: resolver } = alert;
  const resolverLabel =
    alert.status === 'dismissed' ? t('alerts.dismissedBy') : t('alerts.resolvedBy');
  const facts = [
    { name: t('alerts.person'), value: alert.face_name !== null && <Person alert={alert} /> },
    { name: t('alerts.camera'), value: alert.camera_name !== null && <CameraLink alert={alert} /> },
    { name: t('alerts.since'), value: time(alert.created_at) },
    { name: t('alerts.last'), value: alert.count > 1 && time(alert.last_at) },
    { name: t('alerts.over'), value: ended !== null && time(ended) },
    { name: t('alerts.times'), value: alert.count > 1 && formatNumber(alert.count) },
    { name: t('alerts.people'), value: alert.people !== null && formatNumber(alert.people) },
    { name: t('alerts.assignee'), value: alert.assigned_to_name },
    { name: resolverLabel, value: resolver },
    { name: t('alerts.notes'), value: alert.resolution_notes },
  ];
  return <Facts stacks facts={facts.filter(({ value }) => Boolean(value))} />;
}

/** The visit leads on to the person, for readers who may open them. */
function Person({ alert: { visit, face_name: name } }: { alert: Details }) {
  const { t } = useTranslation();
  const shown = shownName(t, name ?? '');
  if (visit === null) return <span className="[overflow-wrap:anywhere]">{shown}</span>;
  return (
    <Link
      to="/activity-log"
      search={{ tab: 'analytics', panel: 'timeline', visit }}
      className={wayLook}
    >
      {shown}
    </Link>
  );
}

function CameraLink({ alert: { camera, camera_name: name } }: { alert: Details }) {
  if (camera === null) return <span className="[overflow-wrap:anywhere]">{name}</span>;
  return (
    <Link to="/cameras/$cameraId" params={{ cameraId: camera }} className={wayLook}>
      {name}
    </Link>
  );
}
