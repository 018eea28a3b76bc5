/** The recordings of one camera that may be played: what is chosen and shown, the list beside it, the figures below. */
import type { Recording } from '@nazar/contract/recordings.ts';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { ScanSearch } from 'lucide-react';
import { useRef, useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { needSentences, useTranslation } from '#lib/i18n.ts';
import { dayOf, readerTimezone, timesOf } from '#lib/local-day.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { useRecordedPlayback } from '#parts/player/recorded/use-recorded-playback.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Skeleton, Loading } from '#ui/skeleton.tsx';
import { Card } from '#ui/card.tsx';
import { DaySide } from './day-side.tsx';
import type { HandoverProps } from './handover/handover.tsx';
import type { Period } from './handover/period.ts';
import type { RecordingPage } from './queries.ts';
import type { MotionSearchProps } from './motion-search/motion-search.tsx';
import { changed, type RecordingsChange } from './recordings-address.ts';
import { addressOf } from './several/further-cameras.ts';
import { useSeveral } from './several/use-several.ts';
import type { ArchiveCamera } from './use-archive-camera.ts';
import { useAddressDay, useToday } from './use-chosen-day.ts';
import { useAddressMoment, useSelected } from './use-selected.ts';
import { Watch } from './watch.tsx';

/** Below everything else: the page plays before they are here. */
const { Component: Handover } = onDemand<HandoverProps>(
  async () => (await import('./handover/handover.tsx')).Handover,
);
const { Component: Statistics } = onDemand<{ cameraId: string }>(
  async () => (await import('./statistics.tsx')).Statistics,
);

const { Component: MotionSearch, preload: preloadMotionSearch } = onDemand<MotionSearchProps>(
  async () => {
    const [loaded] = await Promise.all([
      import('./motion-search/motion-search.tsx'),
      needSentences('motion-search'),
    ]);
    return loaded.MotionSearch;
  },
);

const route = getRouteApi('/shell/recordings/$cameraId');

/** A notice goes after this time (CON-005). */
const noticeMs = 3500;

export function CameraArchive({ camera }: { camera: ArchiveCamera }) {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const router = useRouter();
  const [timezone] = useState(readerTimezone);
  const [notice, setNotice] = useNotice();
  const [trouble, setTrouble] = useState<string | null>(null);
  const [listed, setListed] = useState<RecordingPage>();
  /** What is to be handed over. */
  const [selection, setSelection] = useState<Period | null>(null);
  const [isSearching, setSearching] = useState(false);
  const searchButton = useRef<HTMLButtonElement>(null);
  const player = useRef<HTMLDivElement>(null);
  const today = useToday();
  const day = useAddressDay(search, today, timezone);
  const own = useRecordedPlayback(camera.id, null);
  const { several, transport: playback } = useSeveral(camera, own, search.with);
  const { recording, error } = useSelected(search, timezone, listed);
  const markShown = useAddressMoment(playback, search, recording);

  const go = (change: RecordingsChange, replace = false): void =>
    void navigate({ search: changed(search, change), replace, resetScroll: false });
  const select = (chosen: Recording): void => {
    setTrouble(null);
    playback.setPlaying(true);
    // The address does not change: what plays goes back to its beginning.
    if (chosen.id === search.recording) playback.seek(Date.parse(chosen.startTime));
    if (day !== null) go({ day, recording: chosen.id, at: undefined });
  };
  const linkTo = (momentMs: number): string => {
    const linked = changed(search, { at: new Date(momentMs).toISOString() });
    markShown(linked);
    go(linked, true);
    const to = '/recordings/$cameraId' as const;
    const { href } = router.buildLocation({ to, params: { cameraId: camera.id }, search: linked });
    return new URL(href, location.origin).href;
  };
  const playFirst = (): void => {
    const first = listed?.results[0];
    if (first === undefined) playback.setPlaying(false);
    else select(first);
  };
  const closeSearch = (): void => {
    setSearching(false);
    searchButton.current?.focus();
  };
  const show = (momentMs: number): void => {
    setTrouble(null);
    go({ day: dayOf(momentMs), recording: undefined, at: undefined, page: undefined });
    playback.setPlaying(true);
    playback.seek(momentMs);
    player.current?.scrollIntoView({ block: 'nearest' });
  };
  const tell = (sentence: string): void => {
    setTrouble(null);
    setNotice(sentence);
  };
  const missing = recording === null && error !== null ? problemSentence(error) : null;
  const said = trouble ?? missing;
  return (
    <>
      {said !== null && (
        <Banner
          tone="error"
          onClose={() => (trouble === null ? go({ recording: undefined }, true) : setTrouble(null))}
        >
          {said}
        </Banner>
      )}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_auto_auto_1fr]">
        <div ref={player} className="min-w-0 scroll-mt-20">
          <Watch
            camera={camera}
            own={own}
            several={several}
            playback={playback}
            onFurther={(ids) => go({ with: addressOf(ids) })}
            day={day}
            timezone={timezone}
            selection={selection}
            onSelection={setSelection}
            recording={recording}
            onPlay={playFirst}
            onLink={linkTo}
            onDone={tell}
            onFailed={setTrouble}
            onDeleted={() => {
              go({ recording: undefined, at: undefined }, true);
              tell(t('recordings.deleted'));
            }}
          />
        </div>
        {isSearching && day !== null && (
          <div className="min-w-0 lg:col-start-1">
            <MotionSearch
              camera={camera}
              fromMs={timesOf(day).fromMs}
              untilMs={timesOf(day).untilMs}
              shownMs={playback.shownMs.get()}
              onSeek={show}
              onClose={closeSearch}
            />
          </div>
        )}
        {day === null ? (
          <Card>
            <Loading>
              <Skeleton className="h-96" />
            </Loading>
          </Card>
        ) : (
          <DaySide
            camera={camera}
            day={day}
            today={today}
            timezone={timezone}
            search={search}
            go={go}
            onSelect={select}
            onListed={setListed}
            aside={
              <Button
                ref={searchButton}
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
        )}
        <Handover
          camera={camera}
          cameras={several.cameras}
          playback={playback}
          recording={recording}
          listed={listed?.results ?? []}
          selection={selection}
          onSelection={setSelection}
          onSeek={(momentMs) => playback.seek(momentMs)}
        />
        <Statistics cameraId={camera.id} />
      </div>
      <NoticeBanner notice={notice} clearAfterMs={noticeMs} onClose={() => setNotice(null)} />
    </>
  );
}
