import type { Detection } from '@nazar/contract/visits.ts';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { ScanFace } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useNews, type NewsOf } from '#api/news.ts';
import { isHidden, outdate } from '#api/query.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Card } from '#ui/card.tsx';
import { RowList } from '#ui/data-list.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { DetectionRow } from './detection-row.tsx';
import { DETECTIONS_SHOWN, detectionsQuery } from './queries.ts';

/** The newest first; a visit that is sent again takes its own place. */
function withNews(known: readonly Detection[], { seen, gone }: NewsOf<'visits'>): Detection[] {
  // When a visit is sent twice, the last message counts.
  const sent = new Map(seen.map((detection) => [detection.id, detection]));
  const others = known.filter(({ id }) => !sent.has(id) && !gone.includes(id));
  return [...sent.values(), ...others]
    .toSorted(
      (one, other) =>
        other.timestamp.localeCompare(one.timestamp) || other.id.localeCompare(one.id),
    )
    .slice(0, DETECTIONS_SHOWN);
}

/** Puts what is seen on top at once; returns what came in so, to be shown as new. */
function useSeen(): ReadonlySet<string> {
  const client = useQueryClient();
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  /** It may lack a visit: one that came before the news did or while it was asked for, or the next after one is gone. */
  const mayLack = useRef(true);
  const { queryKey } = detectionsQuery();
  useNews('visits', (news) => {
    if (isHidden()) {
      void outdate(client, { queryKey });
      return;
    }
    const known = client.getQueryData(queryKey)?.results;
    const isAsked = client.isFetching({ queryKey }) > 0;
    const hasRoom = known?.some(({ id }) => news.gone.includes(id)) === true;
    mayLack.current ||= isAsked || hasRoom;
    if (known === undefined) return;
    client.setQueryData(queryKey, { results: withNews(known, news) });
    const ids = news.seen.map(({ id }) => id);
    setFresh((before) => new Set([...before, ...ids].slice(-DETECTIONS_SHOWN)));
  });
  useNews('changed', ({ what }) => {
    if (what !== 'visits' || !mayLack.current || isHidden()) return;
    mayLack.current = false;
    void outdate(client, { queryKey });
  });
  return fresh;
}

export function DetectionsSkeleton() {
  return (
    <div className="divide-y divide-line">
      {Array.from({ length: DETECTIONS_SHOWN }, (_, index) => (
        <div key={index} className="flex h-14 items-center gap-3">
          <Skeleton className="size-9 shrink-0 rounded-full" />
          <div className="grid flex-1 gap-1.5">
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-3 w-2/3" />
          </div>
        </div>
      ))}
    </div>
  );
}

export function RecentDetections({ query }: { query: UseQueryResult<{ results: Detection[] }> }) {
  const { t } = useTranslation();
  const fresh = useSeen();
  return (
    <Card title={t('dashboard.recentDetections')}>
      {/* As high as all rows: what stands below keeps its place, however few there are. */}
      <div className="min-h-71">
        <QueryView query={query} skeleton={<DetectionsSkeleton />}>
          {({ results }) =>
            results.length === 0 ? (
              <EmptyState
                icon={<ScanFace />}
                title={t('dashboard.noDetections')}
                text={t('dashboard.noDetectionsText')}
              />
            ) : (
              <RowList label={t('dashboard.recentDetections')}>
                {results.map((detection) => (
                  <DetectionRow
                    key={detection.id}
                    detection={detection}
                    fresh={fresh.has(detection.id)}
                  />
                ))}
              </RowList>
            )
          }
        </QueryView>
      </div>
    </Card>
  );
}
