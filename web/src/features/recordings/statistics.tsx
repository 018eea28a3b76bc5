/** How much is recorded of the camera, and how full the disk is that it goes to. */
import type { RecordingStatistics } from '@nazar/contract/recordings.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { StorageFitNote } from '#parts/storage-fit.tsx';
import { Banner } from '#ui/banner.tsx';
import { Card } from '#ui/card.tsx';
import { Facts } from '#ui/data-list.tsx';
import { Progress } from '#ui/progress.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { statisticsQuery } from './queries.ts';
import { useWords } from './recording-words.ts';

function Disk({ storage }: { storage: NonNullable<RecordingStatistics['storage']> }) {
  const { t } = useTranslation();
  const { formatPercent } = useFormat();
  const words = useWords();
  const id = useId();
  const { used_percent: used, remaining_percent: remaining } = storage;
  return (
    <div className="grid content-start gap-1.5">
      <p id={id} className="text-ui font-medium">
        {t('recordings.disk')}
      </p>
      <Progress aria-labelledby={id} max={100} value={used} />
      <p className="flex flex-wrap justify-between gap-x-3 text-meta text-muted">
        <span>{t('recordings.remaining', { percent: formatPercent(remaining / 100) })}</span>
        <span>
          {t('recordings.free', {
            free: words.bytes(storage.free_bytes),
            total: words.bytes(storage.total_bytes),
          })}
        </span>
      </p>
    </div>
  );
}

/** The room on the disks that answer, and the folders that don't. */
function Storage({
  storage,
  fit,
  hung_folders,
}: Pick<RecordingStatistics, 'storage' | 'fit' | 'hung_folders'>) {
  const { t } = useTranslation();
  const isAway = storage === null && hung_folders.length === 0;
  return (
    <div className="grid content-start gap-2">
      {storage && <Disk storage={storage} />}
      <StorageFitNote fit={fit} />
      {isAway && <p className="text-ui text-muted">{t('recordings.noDisk')}</p>}
      {hung_folders.map((folder) => (
        <Banner key={folder} tone="error">
          {t('recordings.hungFolder', { folder })}
        </Banner>
      ))}
    </div>
  );
}

export function Statistics({ cameraId }: { cameraId: string }) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const words = useWords();
  const query = useQuery(statisticsQuery(cameraId));
  return (
    <Card title={t('recordings.statistics')} aside={<StaleNote queries={[query]} />}>
      <QueryView query={query} skeleton={<Skeleton className="h-24" />}>
        {({ recordings, duration, bytes, faces, storage, fit, hung_folders }) => (
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
            <Facts
              facts={[
                { name: t('recordings.total'), value: formatNumber(recordings) },
                { name: t('recordings.totalDuration'), value: words.hours(duration) },
                { name: t('recordings.used'), value: words.bytes(bytes) },
                { name: t('recordings.facesDetected'), value: formatNumber(faces) },
              ]}
            />
            <Storage storage={storage} fit={fit} hung_folders={hung_folders} />
          </div>
        )}
      </QueryView>
    </Card>
  );
}
