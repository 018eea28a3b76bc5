/**
 * What cameras recorded, along time: a row for each, why what is missing is missing, who was seen and what moved. It
 * asks the server itself, leads to moments and shows stills on the way there. Playing is the playback's; what a
 * selection is for is the page's. Its code comes after the page, which plays without it.
 */
import { cx } from '#lib/class-names.ts';
import { onDemand } from '#lib/on-demand.tsx';
import type { ScrubStillProps } from './scrub-still.tsx';
import type { RecordedTimelineProps } from './timeline-section.tsx';

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
