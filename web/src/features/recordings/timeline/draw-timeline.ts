/** Draws a whole timeline: the ruler, a row for each camera, bookmarks, and where the time to come begins. */
import { formatTime } from '#lib/format.ts';
import {
  drawGap,
  drawMark,
  drawMotion,
  drawSpan,
  drawVisit,
  type Box,
  type Ink,
} from './draw-shapes.ts';
import { rowLayout, rulerPx, sizes } from './layout.ts';
import type { Palette } from './palette.ts';
import { ticksOf } from './ticks.ts';
import type { TimelineRow } from './timeline-data.ts';
import { shareOf, type TimelineView } from './timeline-view.ts';

export interface TimelineMark {
  readonly id: string;
  readonly atMs: number;
  readonly label: string;
}

export interface Drawing {
  readonly view: TimelineView;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly nowMs: number;
  readonly timezone: string;
  readonly palette: Palette;
  /** One for each camera; null: not known yet. */
  readonly rows: readonly (TimelineRow | null)[];
  /** The names of the cameras, where there are several. */
  readonly names: readonly string[];
  readonly marks: readonly TimelineMark[];
  /** What the name of an unknown person is. */
  readonly nameOf: (visit: TimelineRow['visits'][number]) => string;
}

interface Lasting {
  readonly fromMs: number;
  readonly untilMs: number;
}

const font = '11px "Inter Variable", "Inter Fallback", system-ui, sans-serif';
/** A label of the ruler and the space to the next one. */
const tickPx = 104;
const dayStyle = { day: 'numeric', month: 'short' } as const;
const namesApartPx = 8;
/** Longer names are cut. */
const longestNamePx = 120;

const xOf = ({ view, widthPx }: Drawing, ms: number): number => shareOf(view, ms) * widthPx;

/** Null: out of sight. What goes on ends now. */
function boxOf(drawing: Drawing, one: Lasting, y: number, height: number): Box | null {
  const { view, nowMs } = drawing;
  const fromMs = Math.max(one.fromMs, view.fromMs);
  const untilMs = Math.min(one.untilMs === Infinity ? nowMs : one.untilMs, view.untilMs);
  if (one.fromMs >= view.untilMs || untilMs < view.fromMs || untilMs < fromMs) return null;
  const x = xOf(drawing, fromMs);
  return { x, y, width: xOf(drawing, untilMs) - x, height };
}

function drawRuler(ink: Ink, drawing: Drawing): void {
  const { view, widthPx, heightPx, palette, timezone } = drawing;
  ink.textBaseline = 'middle';
  const ticks = ticksOf(view, widthPx / tickPx, timezone);
  // Somewhere it stands which day it is.
  const dated = ticks.some(({ isDay }) => isDay) ? null : ticks[0];
  for (const tick of ticks) {
    const x = Math.round(xOf(drawing, tick.ms));
    ink.fillStyle = tick.isDay ? palette.strong : palette.line;
    ink.fillRect(x, 0, 1, heightPx);
    ink.fillStyle = tick.isDay ? palette.text : palette.quiet;
    const day =
      tick === dated ? `${formatTime(tick.ms, { timeZone: timezone, ...dayStyle })}, ` : '';
    ink.fillText(day + tick.label, x + 4, rulerPx / 2);
  }
  ink.fillStyle = palette.line;
  ink.fillRect(0, rulerPx - 1, widthPx, 1);
}

const widths = new Map<string, number>();
function widthOf(ink: Ink, text: string): number {
  const width = widths.get(text) ?? ink.measureText(text).width;
  if (widths.size > 1000) widths.clear();
  widths.set(text, width);
  return width;
}

/** A name stands where there is room for it after the one before. */
function drawPeople(ink: Ink, drawing: Drawing, row: TimelineRow, y: number): void {
  const { palette } = drawing;
  let freePx = 0;
  for (const visit of row.visits) {
    const box = boxOf(drawing, visit, y, sizes.people);
    if (box === null) continue;
    drawVisit(ink, box, visit.isKnown, palette);
    const name = drawing.nameOf(visit);
    const x = box.x + 6;
    if (x < freePx) continue;
    const width = Math.min(longestNamePx, widthOf(ink, name));
    if (x + width > drawing.widthPx) continue;
    ink.fillStyle = visit.isKnown ? palette.known : palette.unknown;
    ink.fillText(name, x, y + sizes.people / 2 - 1, longestNamePx);
    freePx = x + width + namesApartPx;
  }
}

function drawRow(ink: Ink, drawing: Drawing, index: number): void {
  const { rows, names, palette, widthPx, nowMs } = drawing;
  const [row, name] = [rows[index] ?? null, names[index] ?? ''];
  const { topPx, peoplePx, barPx, motionPx } = rowLayout(index, rows.length);
  const endPx = Math.min(widthPx, xOf(drawing, nowMs));
  ink.fillStyle = palette.ground;
  ink.fillRect(0, barPx, Math.max(0, endPx), sizes.bar);
  if (rows.length > 1) {
    ink.fillStyle = palette.text;
    ink.fillText(name, 4, topPx + 9, widthPx - 8);
  }
  if (row === null) return;
  for (const gap of row.gaps) {
    const box = boxOf(drawing, gap, barPx, sizes.bar);
    if (box !== null) drawGap(ink, box, palette);
  }
  for (const span of row.spans) {
    const box = boxOf(drawing, span, barPx, sizes.bar);
    if (box !== null) drawSpan(ink, span.type, box, palette);
  }
  for (const motion of row.motion) {
    const box = boxOf(drawing, motion, motionPx, sizes.motion);
    if (box !== null) drawMotion(ink, box, palette);
  }
  drawPeople(ink, drawing, row, peoplePx);
}

function drawNow(ink: Ink, drawing: Drawing): void {
  const x = xOf(drawing, drawing.nowMs);
  if (x < 0 || x > drawing.widthPx) return;
  ink.fillStyle = drawing.palette.now;
  ink.fillRect(Math.round(x) - 1, rulerPx - 6, 2, drawing.heightPx - rulerPx + 6);
}

export function drawTimeline(ink: Ink, drawing: Drawing): void {
  const { widthPx, heightPx, palette, marks, rows, view } = drawing;
  ink.clearRect(0, 0, widthPx, heightPx);
  ink.font = font;
  drawRuler(ink, drawing);
  for (let index = 0; index < rows.length; index++) drawRow(ink, drawing, index);
  for (const mark of marks) {
    if (mark.atMs < view.fromMs || mark.atMs > view.untilMs) continue;
    drawMark(ink, xOf(drawing, mark.atMs), rulerPx, heightPx - rulerPx, palette);
  }
  drawNow(ink, drawing);
}
