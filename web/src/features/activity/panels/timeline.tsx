/** Face Recognition Timeline: the visits one by one, by days, the newest first. */
import type { Visit } from '@nazar/contract/visits.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { dayOf, momentOf } from '#lib/local-day.ts';
import { Button } from '#ui/button.tsx';
import { DeleteVisitsButton, DeleteVisit } from './deleting/delete-visits.tsx';
import { useMayDelete, useMayDeleteSome } from './deleting/deleting.ts';
import { Nothing, PanelCard } from './panel-card.tsx';
import type { PanelProps } from './panel-context.ts';
import { PanelView } from './panel-view.tsx';
import { visitFilters, visitsQuery, VISITS_PER_LOAD } from './queries.ts';
import type { PageOf } from './shapes.ts';
import { VisitRow } from './visit-row.tsx';

/** CON-035: one answer holds at most so many loads; a reader who searches for more narrows the filters. */
const MOST_LOADS = 1000 / VISITS_PER_LOAD;

export function Timeline({ asked, onChange, onDone }: PanelProps) {
  const { t } = useTranslation();
  const filter = visitFilters('timeline', asked);
  const key = JSON.stringify(filter);
  const [loaded, setLoaded] = useState({ key, loads: 1 });
  const loads = loaded.key === key ? loaded.loads : 1;
  const query = useQuery(visitsQuery(asked, loads));
  const [asks, setAsks] = useState<string | null>(null);
  const mayDelete = useMayDelete(asked.me);
  const mayDeleteSome = useMayDeleteSome(asked.me);
  return (
    <PanelCard panel="timeline" title={t('panels.names.timeline')}>
      <PanelView panel="timeline" query={query}>
        {(page) => (
          <>
            <div className="flex flex-wrap items-center justify-between gap-2">
              <Count page={page} />
              {mayDeleteSome && (
                <DeleteVisitsButton
                  filter={deletionOf(filter)}
                  isEmpty={page.results.length === 0}
                  onDone={onDone}
                />
              )}
            </div>
            {page.results.length === 0 ? (
              <Nothing title={t('panels.empty.timeline')} />
            ) : (
              <Days
                visits={page.results}
                mayDelete={mayDelete}
                onOpen={(visit) => onChange({ visit })}
                onDelete={setAsks}
              />
            )}
            {(page.count > page.results.length || page.more) && loads < MOST_LOADS && (
              <Button
                look="secondary"
                className="justify-self-center"
                busy={query.isFetching}
                onClick={() => setLoaded({ key, loads: loads + 1 })}
              >
                {t('panels.loadMore')}
              </Button>
            )}
          </>
        )}
      </PanelView>
      <DeleteVisit id={asks} isDay={false} onDone={onDone} onClose={() => setAsks(null)} />
    </PanelCard>
  );
}

/** A deletion is of what one may see oneself: it knows no user. */
const deletionOf = ({ user: _user, ...filter }: ReturnType<typeof visitFilters>) => filter;

function Count({ page: { count, more } }: { page: PageOf<Visit> }) {
  const { t } = useTranslation();
  return (
    <output className="text-ui text-muted">
      {more ? t('panels.moreVisits', { count }) : t('panels.countVisits', { count })}
    </output>
  );
}

interface DaysProps {
  visits: readonly Visit[];
  mayDelete: (cameraId: string) => boolean;
  onOpen: (id: string) => void;
  onDelete: (id: string) => void;
}

function Days({ visits, mayDelete, onOpen, onDelete }: DaysProps) {
  const { formatTime } = useFormat();
  const days = Map.groupBy(visits, ({ timestamp }) => dayOf(Date.parse(timestamp)));
  return [...days].map(([day, ofDay]) => {
    const name = formatTime(momentOf(day), { dateStyle: 'full' });
    return (
      <section key={day} aria-label={name}>
        <h3 className="border-b border-line pb-1 text-ui font-semibold">{name}</h3>
        <ul className="divide-y divide-line">
          {ofDay.map((visit) => (
            <VisitRow
              key={visit.id}
              visit={visit}
              onOpen={() => onOpen(visit.id)}
              onDelete={mayDelete(visit.camera_id) ? () => onDelete(visit.id) : undefined}
            />
          ))}
        </ul>
      </section>
    );
  });
}
