/** The latest visits of an alert; each opens in the dialog of visits. */
import type { AlertDetails } from '@nazar/contract/alerts.ts';
import { Link } from '@tanstack/react-router';
import { UserX } from 'lucide-react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { FacePicture } from '#parts/face-picture.tsx';
import { shownName } from '#parts/shown-name.ts';

type Visit = AlertDetails['visits'][number];

export function AlertVisits({ visits }: { visits: readonly Visit[] }) {
  const { t } = useTranslation();
  if (visits.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-2" aria-label={t('alerts.visits')}>
      <h3 className="text-ui font-semibold">{t('alerts.visits')}</h3>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(6rem,1fr))] gap-2">
        {visits.map((visit) => (
          <VisitTile key={visit.id} visit={visit} />
        ))}
      </ul>
    </section>
  );
}

function VisitTile({ visit }: { visit: Visit }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { id, image, picture_hidden: isHidden, face_name: name, timestamp } = visit;
  return (
    <li className="min-w-0">
      <Link
        to="/activity-log"
        search={{ tab: 'analytics', panel: 'timeline', visit: id }}
        className="grid grid-cols-1 gap-1 rounded-control p-1 hover:bg-surface-2"
      >
        <FacePicture
          src={image}
          isHidden={isHidden}
          alt=""
          className="aspect-square w-full rounded-control"
          fallback={
            <span className="grid aspect-square w-full place-items-center rounded-control bg-surface-2 text-line-strong">
              <UserX aria-hidden className="size-6" />
            </span>
          }
        />
        <span className="truncate text-meta font-medium">{shownName(t, name)}</span>
        <time dateTime={timestamp} className="text-meta text-muted">
          {formatTime(timestamp, { timeStyle: 'medium' })}
        </time>
      </Link>
    </li>
  );
}
