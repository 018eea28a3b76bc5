/**
 * One visit: its picture, who, where and when, which open the rest of it, with the way to its recording where there is
 * one and the reader may play it.
 */
import type { Visit } from '@nazar/contract/visits.ts';
import { Link } from '@tanstack/react-router';
import { Film, Trash2, UserX } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { DetectionBadge } from '#parts/detection-badge.tsx';
import { FacePicture } from '#parts/face-picture.tsx';
import { buttonClass } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { useAttributeWords } from './use-attribute-words.ts';
import { usePersonName } from './use-person-name.ts';

export interface VisitRowProps {
  visit: Visit;
  onOpen: () => void;
  /** Absent where the reader may not. */
  onDelete?: (() => void) | undefined;
}

export function VisitRow({ visit, onOpen, onDelete }: VisitRowProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { camera_id: cameraId, camera_name: camera, timestamp } = visit;
  const time = formatTime(timestamp, { timeStyle: 'medium' });
  return (
    <li className="flex min-h-14 items-center gap-3 py-1">
      <Opener visit={visit} time={time} onOpen={onOpen} />
      {visit.recorded_at !== null && (
        <Link
          to="/recordings/$cameraId"
          params={{ cameraId }}
          search={{ at: visit.recorded_at }}
          aria-label={t('panels.recordingOf', { time, camera })}
          title={t('panels.recording')}
          className={buttonClass('ghost', 'small')}
        >
          <Film aria-hidden />
        </Link>
      )}
      {onDelete !== undefined && (
        <IconButton label={t('panels.deleteVisit', { time, camera })} onClick={onDelete}>
          <Trash2 aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

interface OpenerProps {
  visit: Visit;
  time: string;
  onOpen: () => void;
}

function Opener({ visit, time, onOpen }: OpenerProps) {
  const { t } = useTranslation();
  const nameOf = usePersonName();
  const words = useAttributeWords();
  const { camera_name: camera, timestamp, is_recognized: known } = visit;
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      className="-ml-2 flex min-w-0 flex-1 items-center gap-3 rounded-control px-2 py-1 text-left hover:bg-surface-2"
      onClick={onOpen}
    >
      <FacePicture
        src={visit.face_image_url}
        isHidden={visit.picture_hidden}
        alt=""
        className="size-10 shrink-0 rounded-control"
        fallback={
          <span className="grid size-10 shrink-0 place-items-center rounded-control bg-surface-2 text-line-strong">
            <UserX aria-hidden className="size-5" />
          </span>
        }
      />
      <span className="grid min-w-0 flex-1 grid-cols-1 gap-0.5">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="min-w-0 text-ui font-medium [overflow-wrap:anywhere]">
            {nameOf(visit)}
          </span>
          {known && <DetectionBadge recognized />}
        </span>
        <span className="text-meta text-muted [overflow-wrap:anywhere]">
          <time dateTime={timestamp}>{time}</time> · <span>{camera}</span>
        </span>
        {visit.picture_hidden && (
          <span aria-hidden className="text-meta text-muted">
            {t('unknown.hiddenPicture')}
          </span>
        )}
        {visit.attributes !== null && (
          <span className="text-meta text-muted [overflow-wrap:anywhere]">
            {words.line(visit.attributes)}
          </span>
        )}
      </span>
    </button>
  );
}
