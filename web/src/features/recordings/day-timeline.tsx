/** The timeline below the player: the chosen day at first, with its bookmarks and what is to be handed over. */
import { timesOf } from '#lib/local-day.ts';
import type { Transport } from '#parts/player/recorded/transport.ts';
import { useBookmarks } from './handover/use-bookmarks.ts';
import type { Period } from './handover/period.ts';
import { RecordedTimeline } from './timeline/recorded-timeline.tsx';
import type { Scrub } from './timeline/scrub.ts';
import type { ArchiveCamera } from './use-archive-camera.ts';

export interface DayTimelineProps {
  /** The one whose bookmarks are shown. */
  camera: ArchiveCamera;
  /** The cameras that are shown, `camera` among them. */
  cameras: readonly ArchiveCamera[];
  playback: Transport;
  day: string;
  timezone: string;
  scrub: Scrub;
  selection: Period | null;
  onSelection: (selection: Period) => void;
}

/** The timeline shows 30 days at most: bookmarks on either side are there when it is drawn wider. */
const besideMs = 15 * 24 * 60 * 60_000;

export function DayTimeline(props: DayTimelineProps) {
  const { camera, cameras, playback, day, timezone, scrub, selection, onSelection } = props;
  const { fromMs, untilMs } = timesOf(day);
  const marks = useBookmarks(camera.id, fromMs - besideMs, untilMs + besideMs);
  return (
    <RecordedTimeline
      key={camera.id}
      cameras={cameras}
      playback={playback}
      timezone={timezone}
      fromMs={fromMs}
      untilMs={untilMs}
      scrub={scrub}
      selection={selection}
      onSelection={onSelection}
      marks={marks}
      onSeek={(ms) => playback.seek(ms)}
    />
  );
}
