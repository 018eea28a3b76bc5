/** What the shapes and colours of the timeline mean: drawn by what draws the timeline. */
import { recordingTypes } from '@nazar/contract/recording-states.ts';
import { useEffect, useRef } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useTheme } from '#lib/theme.ts';
import {
  drawGap,
  drawMark,
  drawMotion,
  drawSpan,
  drawVisit,
  type Box,
  type Ink,
} from './draw-shapes.ts';
import { readPalette, type Palette } from './palette.ts';

const box: Box = { x: 0, y: 0, width: 20, height: 14 };

type Draw = (ink: Ink, palette: Palette) => void;

function Swatch({ draw, label }: { draw: Draw; label: string }) {
  const theme = useTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const ink = element?.getContext('2d') ?? null;
    if (element === null || ink === null) return;
    const scale = devicePixelRatio || 1;
    [element.width, element.height] = [box.width * scale, box.height * scale];
    ink.scale(scale, scale);
    draw(ink, readPalette(element));
    // oxlint-disable-next-line react/exhaustive-deps -- `draw` is another at each render, and does the same
  }, [theme]);
  return (
    <li className="flex items-center gap-1.5">
      <canvas ref={canvas} aria-hidden className="h-3.5 w-5" />
      <span className="inline-block first-letter:uppercase">{label}</span>
    </li>
  );
}

export function Legend({ hasMarks }: { hasMarks: boolean }) {
  const { t } = useTranslation();
  const dot = { ...box, x: 4, width: 12 };
  return (
    <ul
      aria-label={t('timeline.legend')}
      className="flex flex-wrap gap-x-3 gap-y-1 text-meta text-muted"
    >
      {recordingTypes.map((type) => (
        <Swatch
          key={type}
          label={t(`timeline.type.${type}`)}
          draw={(ink, palette) => drawSpan(ink, type, box, palette)}
        />
      ))}
      <Swatch label={t('timeline.gap')} draw={(ink, palette) => drawGap(ink, box, palette)} />
      <Swatch
        label={t('timeline.motion')}
        draw={(ink, palette) => drawMotion(ink, { ...box, y: 5, height: 5 }, palette)}
      />
      <Swatch
        label={t('timeline.known')}
        draw={(ink, palette) => drawVisit(ink, dot, true, palette)}
      />
      <Swatch
        label={t('timeline.unknown')}
        draw={(ink, palette) => drawVisit(ink, dot, false, palette)}
      />
      {hasMarks && (
        <Swatch
          label={t('timeline.bookmark')}
          draw={(ink, palette) => drawMark(ink, 4, 1, 12, palette)}
        />
      )}
    </ul>
  );
}
