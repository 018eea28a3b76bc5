/** What a search for motion found so far: how far it is, each time something moved, and what there is to do next. */
import { Film, ScanSearch } from 'lucide-react';
import { problemSentence } from '#api/problem.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { SecureImage } from '#parts/secure-image.tsx';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Progress } from '#ui/progress.tsx';
import { RetryBanner } from '#ui/retry-banner.tsx';
import { clockOf } from '../recording-words.ts';
import { stillAt } from './region-picture.tsx';
import type { Moved, MotionSearching, Search } from './use-motion-search.ts';

export interface MotionResultsProps {
  cameraId: string;
  searching: MotionSearching;
  onSeek: (momentMs: number) => void;
}

export function MotionResults({ cameraId, searching, onSeek }: MotionResultsProps) {
  const { search } = searching;
  if (search === null) return null;
  return (
    <div className="grid grid-cols-1 gap-3">
      <Standing search={search} />
      {search.state === 'running' && <Running search={search} onCancel={searching.cancel} />}
      {search.state === 'failed' && <Broken search={search} onRetry={searching.goOn} />}
      <FoundList cameraId={cameraId} found={search.found} onSeek={onSeek} />
      <Outcome search={search} onGoOn={searching.goOn} />
    </div>
  );
}

/** Read out when it changes. */
function Standing({ search: { found, state, reachedMs } }: { search: Search }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  return (
    <output className="text-meta text-muted">
      {found.length > 0 && t('recordingSearch.found', { count: found.length })}{' '}
      {state !== 'done' &&
        state !== 'running' &&
        t('recordingSearch.searchedUntil', {
          time: formatTime(reachedMs, { dateStyle: 'medium', timeStyle: 'medium' }),
        })}
    </output>
  );
}

function Running({ search, onCancel }: { search: Search; onCancel: () => void }) {
  const { t } = useTranslation();
  const { fromMs, untilMs } = search.asked.period;
  return (
    <div className="flex items-center gap-3">
      <Progress
        aria-label={t('recordingSearch.progress')}
        max={untilMs - fromMs}
        value={search.reachedMs - fromMs}
      />
      <Button look="secondary" size="small" onClick={onCancel}>
        {t('ui.cancel')}
      </Button>
    </div>
  );
}

function Broken({ search, onRetry }: { search: Search; onRetry: () => void }) {
  return <RetryBanner onRetry={onRetry}>{problemSentence(search.error)}</RetryBanner>;
}

/** More to be found, nothing found, or nothing that could be. */
function Outcome({ search, onGoOn }: { search: Search; onGoOn: () => void }) {
  const { t } = useTranslation();
  const { state, found, compared } = search;
  if (state === 'waiting' || state === 'cancelled') {
    return (
      <Button look="secondary" className="justify-self-center" onClick={onGoOn}>
        {t('recordingSearch.goOn')}
      </Button>
    );
  }
  if (state !== 'done' || found.length > 0) return null;
  return compared ? (
    <EmptyState
      icon={<ScanSearch />}
      title={t('recordingSearch.noMotion')}
      text={t('recordingSearch.noMotionText')}
    />
  ) : (
    <EmptyState
      icon={<ScanSearch />}
      title={t('recordingSearch.notCompared')}
      text={t('recordingSearch.notComparedText')}
    />
  );
}

interface FoundListProps {
  cameraId: string;
  found: readonly Moved[];
  onSeek: (momentMs: number) => void;
}

function FoundList({ cameraId, found, onSeek }: FoundListProps) {
  const { t } = useTranslation();
  if (found.length === 0) return null;
  return (
    <ul
      aria-label={t('recordingSearch.results')}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-1"
    >
      {found.map((moved) => (
        <FoundItem key={moved.fromMs} cameraId={cameraId} moved={moved} onSeek={onSeek} />
      ))}
    </ul>
  );
}

function FoundItem({ cameraId, moved, onSeek }: { moved: Moved } & Omit<FoundListProps, 'found'>) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { fromMs, untilMs } = moved;
  const day = formatTime(fromMs, { weekday: 'short', day: 'numeric', month: 'short' });
  const time = formatTime(fromMs, { timeStyle: 'medium' });
  return (
    <li>
      <button
        type="button"
        className="flex w-full items-center gap-3 rounded-control p-2 text-left hover:bg-surface-2"
        onClick={() => onSeek(fromMs)}
      >
        <SecureImage
          src={stillAt(cameraId, fromMs)}
          alt=""
          className="h-14 w-24 shrink-0 rounded-control bg-[#0b0e14]"
          fallback={<NoStill />}
        />
        <span className="figures grid min-w-0 flex-1 grid-cols-1">
          <span className="sr-only">{t('recordingSearch.show')} </span>
          <span className="text-ui font-medium">{time}</span>
          <span className="text-meta text-muted">{day}</span>
          <span className="text-meta text-muted">
            <span className="sr-only">{t('recordings.duration')} </span>
            {clockOf(Math.max(1, (untilMs - fromMs) / 1000))}
          </span>
        </span>
      </button>
    </li>
  );
}

const NoStill = () => (
  <span
    aria-hidden
    className="grid h-14 w-24 shrink-0 place-items-center rounded-control bg-surface-3 text-muted"
  >
    <Film className="size-5" />
  </span>
);
