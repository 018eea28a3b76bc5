/**
 * How a span, a gap, a person and a bookmark look: on the timeline and in its legend alike. Types differ by colour and
 * by shape: continuous is whole, manual has a notch, scheduled a line through it, motion half the height, a test is hollow.
 */
import type { RecordingType } from '@nazar/contract/recording-states.ts';
import type { Palette } from './palette.ts';

export type Ink = CanvasRenderingContext2D;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What is shorter than a pixel is seen all the same. */
const leastPx = 1.5;
const stripePx = 3;

export function drawSpan(ink: Ink, type: RecordingType, box: Box, palette: Palette): void {
  const { x, y, height } = box;
  const width = Math.max(leastPx, box.width);
  ink.fillStyle = palette.types[type];
  if (type === 'motion') ink.fillRect(x, y + height / 2, width, height / 2);
  else ink.fillRect(x, y, width, height);
  ink.fillStyle = palette.surface;
  if (type === 'manual') ink.fillRect(x, y + stripePx, width, stripePx / 2);
  if (type === 'scheduled') ink.fillRect(x, y + height / 2 - 1, width, 2);
  if (type === 'test' && width > 6) ink.fillRect(x + 2, y + 2, width - 4, height - 4);
}

/** Slanting lines, which go on from one gap to the next. */
export function drawGap(ink: Ink, box: Box, palette: Palette): void {
  const { x, y, height } = box;
  const width = Math.max(leastPx, box.width);
  const apartPx = 6;
  ink.save();
  ink.beginPath();
  ink.rect(x, y, width, height);
  ink.clip();
  ink.strokeStyle = palette.strong;
  ink.lineWidth = 1;
  ink.beginPath();
  const first = Math.floor((x - height) / apartPx) * apartPx;
  for (let at = first; at < x + width; at += apartPx) {
    ink.moveTo(at, y + height);
    ink.lineTo(at + height, y);
  }
  ink.stroke();
  ink.restore();
}

export function drawMotion(ink: Ink, box: Box, palette: Palette): void {
  ink.fillStyle = palette.quiet;
  ink.fillRect(box.x, box.y, Math.max(leastPx, box.width), box.height);
}

/** A disc for a known person, a ring for an unknown one, above a line that is as long as the visit. */
export function drawVisit(ink: Ink, box: Box, isKnown: boolean, palette: Palette): void {
  const color = isKnown ? palette.known : palette.unknown;
  const [radius, y] = [3.5, box.y + box.height / 2];
  ink.fillStyle = color;
  ink.fillRect(box.x, box.y + box.height - 3, Math.max(leastPx, box.width), 2);
  ink.beginPath();
  ink.arc(box.x, y - 1, radius, 0, 2 * Math.PI);
  ink.fill();
  if (isKnown) return;
  ink.fillStyle = palette.surface;
  ink.beginPath();
  ink.arc(box.x, y - 1, radius - 1.5, 0, 2 * Math.PI);
  ink.fill();
}

/** A little flag. */
export function drawMark(ink: Ink, x: number, y: number, height: number, palette: Palette): void {
  ink.fillStyle = palette.mark;
  ink.fillRect(x - 0.75, y, 1.5, height);
  ink.beginPath();
  ink.moveTo(x, y);
  ink.lineTo(x + 8, y + 4);
  ink.lineTo(x, y + 8);
  ink.fill();
}
