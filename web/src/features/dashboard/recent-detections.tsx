import type { Detection } from '@nazar/contract/sightings.ts';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { ScanFace } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useNews } from '#api/news.ts';
import { DetectionRow } from '#parts/detection-row.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { Card } from '#ui/card.tsx';
import { RowList } from '#ui/data-list.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { DETECTIONS_SHOWN, detectionsQuery } from './queries.ts';

/** The newest first; a visit that is told again takes its own place. */
function withNewest(known: readonly Detection[], seen: Detection): Detection[] {
  const others = known.filter(({ id }) => id !== seen.id);
  return [seen, ...others]
    .toSorted((one, other) => other.timestamp.localeCompare(one.timestamp))
    .slice(0, DETECTIONS_SHOWN);
}

/** Puts what is seen on top at once; returns what came in so, to be shown as new. */
function useSeen(): ReadonlySet<string> {
  const client = useQueryClient();
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  useNews('seen', ({ detection }) => {
    client.setQueryData(detectionsQuery().queryKey, (known) =>
      known === undefined ? known : { results: withNewest(known.results, detection) },
    );
    setFresh((before) => new Set([...before, detection.id].slice(-DETECTIONS_SHOWN)));
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

/** DASH-009, DASH-010. */
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
