/** The day beside the player, and the search for motion that opens from there below the player. */
import { ScanSearch } from 'lucide-react';
import { useRef, useState } from 'react';
import { needSentences, useTranslation } from '#lib/i18n.ts';
import { timesOf } from '#lib/local-day.ts';
import { onDemand } from '#lib/on-demand.tsx';
import type { Transport } from '#parts/player/recorded/transport.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Loading, Skeleton } from '#ui/skeleton.tsx';
import { DaySide, type DaySideProps } from './day-side.tsx';
import type { MotionSearchProps } from './motion-search/motion-search.tsx';

const { Component: MotionSearch, preload: preloadMotionSearch } = onDemand<MotionSearchProps>(
  async () => {
    const [loaded] = await Promise.all([
      import('./motion-search/motion-search.tsx'),
      needSentences('motion-search'),
    ]);
    return loaded.MotionSearch;
  },
);

export interface ArchiveDayProps extends Omit<DaySideProps, 'day' | 'aside'> {
  /** Null: it is not known yet. */
  day: string | null;
  shownMs: Transport['shownMs'];
  onSeek: (momentMs: number) => void;
}

export function ArchiveDay({ day, shownMs, onSeek, ...side }: ArchiveDayProps) {
  const { t } = useTranslation();
  const [isSearching, setSearching] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const closeSearch = (): void => {
    setSearching(false);
    button.current?.focus();
  };
  if (day === null) {
    return (
      <Card>
        <Loading>
          <Skeleton className="h-96" />
        </Loading>
      </Card>
    );
  }
  return (
    <>
      {isSearching && (
        <div className="min-w-0 lg:col-start-1">
          <MotionSearch
            camera={side.camera}
            fromMs={timesOf(day).fromMs}
            untilMs={timesOf(day).untilMs}
            shownMs={shownMs.get()}
            onSeek={onSeek}
            onClose={closeSearch}
          />
        </div>
      )}
      <DaySide
        {...side}
        day={day}
        aside={
          <Button
            ref={button}
            look="secondary"
            size="small"
            aria-expanded={isSearching}
            onPointerEnter={() => void preloadMotionSearch()}
            onClick={() => (isSearching ? closeSearch() : setSearching(true))}
          >
            <ScanSearch aria-hidden />
            {t('recordingSearch.open')}
          </Button>
        }
      />
    </>
  );
}
