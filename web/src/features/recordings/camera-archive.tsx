/** The recordings of one camera that may be played: what is chosen and shown, the list beside it, the figures below. */
import { useRef, useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { readerTimezone } from '#lib/local-day.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { useRecordedPlayback } from '#parts/player/recorded/use-recorded-playback.ts';
import { Banner } from '#ui/banner.tsx';
import { archiveCommands } from './archive-commands.ts';
import { ArchiveDay } from './archive-day.tsx';
import type { HandoverProps } from './handover/handover.tsx';
import type { Period } from './handover/period.ts';
import type { RecordingPage } from './queries.ts';
import { addressOf } from './several/further-cameras.ts';
import { useSeveral } from './several/use-several.ts';
import { useArchiveAddress } from './use-archive-address.ts';
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

/** A notice goes after this time (CON-005). */
const noticeMs = 3500;

export function CameraArchive({ camera }: { camera: ArchiveCamera }) {
  const { t } = useTranslation();
  const address = useArchiveAddress(camera.id);
  const { search, go } = address;
  const [timezone] = useState(readerTimezone);
  const [notice, setNotice] = useNotice();
  const [trouble, setTrouble] = useState<string | null>(null);
  const [listed, setListed] = useState<RecordingPage>();
  /** What is to be handed over. */
  const [selection, setSelection] = useState<Period | null>(null);
  const player = useRef<HTMLDivElement>(null);
  const today = useToday();
  const day = useAddressDay(search, today, timezone);
  const own = useRecordedPlayback(camera.id, null);
  const { several, transport: playback } = useSeveral(camera, own, search.with);
  const { recording, error } = useSelected(search, timezone, listed);
  const { select, show, playFirst, linkTo } = archiveCommands({
    address,
    playback,
    day,
    markShown: useAddressMoment(playback, search, recording),
    onBegin: () => setTrouble(null),
  });
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
            onPlay={() => playFirst(listed?.results ?? [])}
            onLink={linkTo}
            onDone={tell}
            onFailed={setTrouble}
            onDeleted={() => {
              go({ recording: undefined, at: undefined }, true);
              tell(t('recordings.deleted'));
            }}
          />
        </div>
        <ArchiveDay
          camera={camera}
          day={day}
          today={today}
          timezone={timezone}
          search={search}
          go={go}
          shownMs={playback.shownMs}
          onSelect={select}
          onListed={setListed}
          onSeek={(momentMs) => {
            show(momentMs);
            player.current?.scrollIntoView({ block: 'nearest' });
          }}
        />
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
