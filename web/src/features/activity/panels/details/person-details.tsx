/** The person who is chosen in Person Analytics. */
import type { PersonStats } from '@nazar/contract/visit-counts.ts';
import type { Visit } from '@nazar/contract/visits.ts';
import { useQuery } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { FacePicture } from '#parts/face-picture.tsx';
import { Button } from '#ui/button.tsx';
import { Facts } from '#ui/data-list.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { isId } from '#lib/is-id.ts';
import { leadTo } from '../figures.ts';
import type { PanelProps } from '../panel-context.ts';
import { choosable } from '../people.ts';
import { PanelView } from '../panel-view.tsx';
import { peopleQuery, personQuery, recentOfPersonQuery } from '../queries.ts';
import { usePersonName } from '../use-person-name.ts';
import { RecentVisits } from './recent-visits.tsx';

export interface PersonDetailsProps extends Pick<PanelProps, 'asked' | 'onChange'> {
  person: string;
}

export function PersonDetails({ asked, person, onChange }: PersonDetailsProps) {
  const { t } = useTranslation();
  const { who, page } = asked.search;
  const { data: listed } = useQuery(peopleQuery('people', asked, { search: who, page: page ?? 1 }));
  const details = useQuery(personQuery(asked, person));
  const recent = useQuery(recentOfPersonQuery(asked, person));
  const nameOf = usePersonName();
  const row = choosable(listed?.results ?? []).find((one) => one.person === person);
  const unlisted = isId(person) ? t('panels.thisPerson') : person;
  const name = row === undefined ? unlisted : nameOf(row);
  const failedTitle = t('panels.failed.details', { person: name });
  return (
    <PanelView panel="people" query={details} failedTitle={failedTitle}>
      {(row) =>
        row === null ? (
          <EmptyState icon={<UserRound />} title={t('panels.noDetails')} />
        ) : (
          <>
            <Figures row={row} newest={recent.data?.[0] ?? null} />
            <PanelView panel="people" query={recent} failedTitle={failedTitle}>
              {(visits) => (
                <RecentVisits
                  visits={visits}
                  shows="camera"
                  onOpen={(visit) => onChange({ visit })}
                />
              )}
            </PanelView>
            <Button
              look="link"
              className="justify-self-start"
              onClick={() => onChange(leadTo('people', 'person', { person }))}
            >
              {t('panels.allVisits')}
            </Button>
          </>
        )
      }
    </PanelView>
  );
}

function Figures({ row, newest }: { row: PersonStats; newest: Visit | null }) {
  const { t } = useTranslation();
  const { formatNumber, formatTime } = useFormat();
  const time = (at: string | null): string => (at === null ? '–' : formatTime(at));
  const { total_detections: total, recognized_count: known } = row;
  const name = usePersonName()(row);
  return (
    <div className="flex flex-wrap gap-4">
      <FacePicture
        src={newest?.face_image_url ?? null}
        isHidden={newest?.picture_hidden ?? false}
        alt={t('panels.faceOf', { person: name })}
        className="size-24 shrink-0 rounded-control"
        fallback={
          <div className="grid size-24 shrink-0 place-items-center rounded-control bg-surface-2 text-line-strong">
            <UserRound aria-hidden className="size-10" />
          </div>
        }
      />
      <div className="min-w-0 flex-1 basis-56">
        <h3 className="mb-2 text-body font-semibold [overflow-wrap:anywhere]">{name}</h3>
        <Facts
          facts={[
            { name: t('panels.totalVisits'), value: formatNumber(total) },
            { name: t('panels.firstSeen'), value: time(row.first_seen) },
            { name: t('panels.lastSeen'), value: time(row.last_seen) },
            {
              name: t('panels.cameras'),
              value: row.cameras === null ? '–' : formatNumber(row.cameras),
            },
            {
              name: t('panels.rate'),
              value: total === 0 ? '–' : formatNumber(known / total, oneDecimal),
            },
          ]}
        />
      </div>
    </div>
  );
}

/** With one decimal, also where it is zero. */
const oneDecimal = {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
} as const;
