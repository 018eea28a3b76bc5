/** What is drawn of a timeline, anew with the frame after something changed. All of it is said in words elsewhere. */
import { useEffect, useRef } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useTheme, type Theme } from '#lib/theme.ts';
import { drawTimeline, type TimelineMark } from './draw-timeline.ts';
import { heightPx } from './layout.ts';
import { visitName } from './moment-words.ts';
import { readPalette, type Palette } from './palette.ts';
import type { TimelineRow } from './timeline-data.ts';
import type { TimelineState } from './timeline-state.ts';
import { useFrame } from './use-frame.ts';

export interface TimelineCanvasProps {
  state: TimelineState;
  rows: readonly (TimelineRow | null)[];
  names: readonly string[];
  marks: readonly TimelineMark[];
  timezone: string;
  widthPx: number;
}

/** Now moves on. */
const againMs = 1000;

export function TimelineCanvas(props: TimelineCanvasProps) {
  const { state, rows, names, marks, timezone, widthPx } = props;
  const { t } = useTranslation();
  const theme = useTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = useRef<{ theme: Theme; colors: Palette }>(null);
  const height = heightPx(rows.length);
  const draw = useFrame(() => {
    const element = canvas.current;
    const ink = element?.getContext('2d') ?? null;
    if (element === null || ink === null) return;
    if (palette.current?.theme !== theme) palette.current = { theme, colors: readPalette(element) };
    const scale = devicePixelRatio || 1;
    const size = [Math.round(widthPx * scale), Math.round(height * scale)] as const;
    // Each of these empties it, also where nothing changes.
    if (element.width !== size[0]) [element.width] = size;
    if (element.height !== size[1]) [, element.height] = size;
    ink.setTransform(scale, 0, 0, scale, 0, 0);
    drawTimeline(ink, {
      view: state.view.get(),
      widthPx,
      heightPx: height,
      nowMs: Date.now(),
      timezone,
      palette: palette.current.colors,
      rows,
      names,
      marks,
      nameOf: (visit) => visitName(t, visit),
    });
  });
  useEffect(draw);
  useEffect(() => state.view.subscribe(draw), [state, draw]);
  useEffect(() => {
    // The fonts of the page come after it.
    void document.fonts?.ready.then(draw);
    const timer = setInterval(draw, againMs);
    return () => clearInterval(timer);
  }, [draw]);
  return (
    <canvas ref={canvas} aria-hidden className="pointer-events-none absolute inset-0 size-full" />
  );
}
