/**
 * What cameras recorded, along time: a row for each, why what is missing is missing, who was seen and what moved. It
 * asks the server itself, leads to moments and shows stills on the way there. Playing is the playback's; what a
 * selection is for is the page's. Its code comes after the page, which plays without it.
 */
import { cx } from '#lib/class-names.ts';
import { onDemand } from '#lib/on-demand.tsx';
import type { Transport } from '#parts/player/recorded/transport.ts';
import type { TimelineMark } from './draw-timeline.ts';
import type { Scrub } from './scrub.ts';
import type { ScrubStillProps } from './scrub-still.tsx';
import type { TimeSelection } from './selection-handles.tsx';

export type { TimelineMark, TimeSelection };

export interface RecordedTimelineProps {
  /** One to nine. */
  cameras: readonly { readonly id: string; readonly name: string }[];
  playback: Transport;
  timezone: string;
  /** What is in sight at first, and whenever these change: a day. */
  fromMs: number;
  untilMs: number;
  onSeek: (ms: number) => void;
  /** The moment that is dragged to; null: dragging has ended. */
  onScrub?: (ms: number | null) => void;
  /** From `useScrub`, where a `ScrubStill` shows stills over the player. */
  scrub?: Scrub;
  /** With it two handles are shown. */
  selection?: TimeSelection | null;
  onSelection?: (selection: TimeSelection) => void;
  /** Bookmarks. */
  marks?: readonly TimelineMark[];
  className?: string;
}

const { Component: TimelineSection } = onDemand<RecordedTimelineProps>(
  async () => (await import('./timeline-section.tsx')).TimelineSection,
);

/** Lies over a player while its timeline is dragged. */
export const { Component: ScrubStill } = onDemand<ScrubStillProps>(
  async () => (await import('./scrub-still.tsx')).ScrubStill,
);

export function RecordedTimeline({ className, ...props }: RecordedTimelineProps) {
  return (
    // Its place is kept, so that what lies below does not move.
    <div className={cx('min-h-44', className)}>
      <TimelineSection {...props} />
    </div>
  );
}
