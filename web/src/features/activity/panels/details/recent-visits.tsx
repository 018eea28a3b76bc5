/** The newest visits of a person or of a camera, as lines of a list. */
import type { Visit } from '@nazar/contract/visits.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { DetectionBadge } from '#parts/detection-badge.tsx';
import { usePersonName } from '../use-person-name.ts';

export interface RecentVisitsProps {
  visits: readonly Visit[];
  /** What the reader does not know yet. */
  shows: 'camera' | 'person';
  onOpen: (id: string) => void;
}

export function RecentVisits({ visits, shows, onOpen }: RecentVisitsProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const nameOf = usePersonName();
  return (
    <section aria-label={t('panels.recent')}>
      <h3 className="border-b border-line pb-1 text-ui font-semibold">{t('panels.recent')}</h3>
      <ul className="divide-y divide-line text-ui">
        {visits.map((visit) => (
          <li
            key={visit.id}
            className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-0.5 py-1.5"
          >
            <Moment visit={visit} />
            <span className="flex min-w-0 grow basis-32">
              <button
                type="button"
                aria-haspopup="dialog"
                aria-label={t('visit.open', {
                  of: shows === 'camera' ? visit.camera_name : nameOf(visit),
                  time: formatTime(visit.timestamp),
                })}
                className="min-h-6 truncate text-primary-text underline-offset-4 hover:underline touch:min-h-11"
                onClick={() => onOpen(visit.id)}
              >
                {shows === 'camera' ? visit.camera_name : nameOf(visit)}
              </button>
            </span>
            <DetectionBadge recognized={visit.is_recognized} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** When it was, with the way to the recording where there is one and the reader may play it. */
function Moment({ visit }: { visit: Visit }) {
  const { formatTime } = useFormat();
  const { camera_id: cameraId, timestamp: at } = visit;
  if (visit.recorded_at === null) return <span className="figures">{formatTime(at)}</span>;
  return (
    <Link
      to="/recordings/$cameraId"
      params={{ cameraId }}
      search={{ at: visit.recorded_at }}
      className="figures inline-flex min-h-6 items-center text-primary-text underline-offset-4 hover:underline touch:min-h-11"
    >
      {formatTime(at)}
    </Link>
  );
}
