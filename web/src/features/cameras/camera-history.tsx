/** What became of a camera and why: each state of its streams, newest first. */
import { cameraHistoryRoutes, type HistoryEntry } from '@nazar/contract/camera-history.ts';
import type { Camera } from '@nazar/contract/cameras.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { History as HistoryIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { ask } from '#api/query.ts';
import { useFormat } from '#lib/format.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Badge } from '#ui/badge.tsx';
import { Row, RowList } from '#ui/data-list.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { OnlineLine } from './filters/online-line.tsx';

const PAGE_SIZE = 20;

const historyQuery = (id: string, page: number) =>
  ask('cameras', cameraHistoryRoutes.list, {
    params: { id },
    query: { page, page_size: PAGE_SIZE },
  });

export function CameraHistory({ camera, onClose }: { camera: Camera; onClose: () => void }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const query = useQuery({ ...historyQuery(camera.id, page), placeholderData: keepPreviousData });
  const title = t('history.title', { name: camera.name });
  return (
    <Dialog open title={title} width="large" onClose={onClose}>
      <OnlineLine camera={camera} />
      <QueryView
        query={query}
        failedTitle={t('history.failed')}
        skeleton={<Skeleton className="h-48" />}
      >
        {({ count, results }) =>
          count === 0 ? (
            <EmptyState
              icon={<HistoryIcon aria-hidden />}
              title={t('history.empty')}
              text={t('history.emptyText')}
            />
          ) : (
            <>
              <RowList label={title}>
                {results.map((entry) => (
                  <Entry key={entry.id} entry={entry} />
                ))}
              </RowList>
              <Pagination page={page} pages={Math.ceil(count / PAGE_SIZE)} onPage={setPage} />
            </>
          )
        }
      </QueryView>
    </Dialog>
  );
}

function useSentence({ part, state, cause }: HistoryEntry): string {
  const { t } = useTranslation();
  if (part === 'recording' || cause === 'disk') {
    return cause === 'disk' ? t('history.diskFull') : t('history.diskBack');
  }
  const word = t(`ingest.state.${state}`);
  if (cause === 'none') return word;
  return t('ingest.sentence', { state: word, cause: t(`ingest.cause.${cause}`) });
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const sentence = useSentence(entry);
  const { part, blame, started_at: startedAt, ended_at: endedAt } = entry;
  const exact = { dateStyle: 'medium', timeStyle: 'medium' } as const;
  const from = formatTime(startedAt, exact);
  const when =
    endedAt === null
      ? t('history.from', { from })
      : t('history.span', { from, until: formatTime(endedAt, exact) });
  return (
    <Row
      title={sentence}
      text={joined([t(`history.part.${part}`), when])}
      {...(blame !== null && {
        aside: <Badge tone="neutral">{t(`history.blame.${blame}`)}</Badge>,
      })}
    />
  );
}
