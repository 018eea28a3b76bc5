/** Beside the pointer: what was to be seen then, when that was, and what there is in words. */
import { useSignal } from '#lib/signal.ts';
import type { TimelineMark } from './draw-timeline.ts';
import { markWords, momentTime, nearOf, rowWords } from './moment-words.ts';
import { useTranslation } from '#lib/i18n.ts';
import { rowAt } from './layout.ts';
import { useKnownCamera } from '#parts/camera-state/use-known-camera.ts';
import { useStillAt, type Scrub } from './scrub.ts';
import type { TimelineRow } from './timeline-data.ts';
import type { TimelineState } from './timeline-state.ts';
import { whatIsAt } from './what-is-there.ts';

export interface PreviewBubbleProps {
  state: TimelineState;
  scrub: Scrub;
  cameras: readonly { readonly id: string; readonly name: string }[];
  rows: readonly (TimelineRow | null)[];
  marks: readonly TimelineMark[];
  timezone: string;
  widthPx: number;
}

const bubblePx = 176;

export function PreviewBubble(props: PreviewBubbleProps) {
  const { state, scrub, cameras, rows, marks, timezone, widthPx } = props;
  const { t } = useTranslation();
  const pointed = useSignal(state.pointed);
  const index = rowAt(pointed?.yPx ?? 0, cameras.length);
  const camera = cameras[index];
  const known = useKnownCamera(camera?.id ?? '');
  const still = useStillAt(scrub.stillsOf(camera?.id ?? ''), pointed?.ms ?? null);
  if (pointed === null || camera === undefined) return null;
  const row = rows[index] ?? null;
  const nearMs = nearOf(state.view.get());
  // Where nothing is recorded, what was to be seen before is no preview.
  const isRecorded = row !== null && whatIsAt(row, pointed.ms).span !== null;
  const leftPx = Math.max(0, Math.min(widthPx - bubblePx, pointed.xPx - bubblePx / 2));
  return (
    <div
      aria-hidden
      data-preview
      className="pointer-events-none absolute bottom-full left-0 z-20 mb-1 overflow-hidden rounded-control bg-fg text-meta text-bg shadow-overlay"
      style={{ width: bubblePx, transform: `translateX(${leftPx}px)` }}
    >
      {isRecorded && still !== null && (
        <img
          src={still.source}
          alt=""
          decoding="sync"
          className="aspect-video w-full bg-black object-contain"
        />
      )}
      <span className="block px-2 py-1">
        <span className="block font-medium tabular-nums">{momentTime(pointed.ms, timezone)}</span>
        {cameras.length > 1 && <span className="block truncate">{camera.name}</span>}
        {row !== null && rowWords(t, row, pointed.ms, { nearMs, timezone, camera: known })}
        {markWords(marks, pointed.ms, nearMs).map((label) => (
          <span key={label} className="block truncate">
            {label}
          </span>
        ))}
      </span>
    </div>
  );
}
