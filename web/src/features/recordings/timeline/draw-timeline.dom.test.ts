/** What is drawn of a timeline, by the commands that a canvas got. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordingTypes } from '@nazar/contract/recording-states.ts';
import { expect, test } from 'vitest';
import { drawTimeline, type Drawing } from './draw-timeline.ts';
import { drawSpan, type Ink } from './draw-shapes.ts';
import { heightPx, rowAt, rowLayout, rulerPx } from './layout.ts';
import { readPalette, type Palette } from './palette.ts';

const hourMs = 3_600_000;
const fromMs = Date.UTC(2026, 0, 14);
const row = { cameraId: 'one', spans: [], gaps: [], motion: [], visits: [] };

interface Drawn {
  readonly texts: { text: string; x: number }[];
  readonly boxes: { color: string; x: number; y: number; width: number; height: number }[];
}

/** Takes everything and draws nothing. */
function anInk(): { ink: Ink; drawn: Drawn } {
  const drawn: Drawn = { texts: [], boxes: [] };
  const nothing = () => undefined;
  const ink = {
    fillStyle: '',
    fillText: (text: string, x: number) => drawn.texts.push({ text, x }),
    measureText: (text: string) => ({ width: text.length * 6 }),
    fillRect(x: number, y: number, width: number, height: number) {
      drawn.boxes.push({ color: this.fillStyle, x, y, width, height });
    },
  };
  const all = new Proxy(ink, {
    get: (own, name) => (name in own ? own[name as keyof typeof own] : nothing),
  });
  return { ink: all as unknown as Ink, drawn };
}

const palette = {
  ground: 'ground',
  surface: 'surface',
  quiet: 'quiet',
  now: 'now',
  types: Object.fromEntries(recordingTypes.map((type) => [type, type])),
} as unknown as Palette;

function draw(over: Partial<Drawing>): Drawn {
  const { ink, drawn } = anInk();
  drawTimeline(ink, {
    view: { fromMs, untilMs: fromMs + 24 * hourMs },
    widthPx: 1200,
    heightPx: heightPx(1),
    nowMs: fromMs + 18 * hourMs,
    timezone: 'UTC',
    palette,
    rows: [row],
    names: ['Gate'],
    marks: [],
    nameOf: ({ name }) => name ?? 'unknown',
    ...over,
  });
  return drawn;
}
const textsOf = ({ texts }: Drawn): string[] => texts.map(({ text }) => text);

test('a recording lies where it was, one that goes on ends now, and nothing lies in the time to come', () => {
  const spans = [
    { type: 'motion' as const, fromMs: fromMs - hourMs, untilMs: fromMs + 6 * hourMs },
    { type: 'continuous' as const, fromMs: fromMs + 12 * hourMs, untilMs: Infinity },
    { type: 'test' as const, fromMs: fromMs + 7 * hourMs, untilMs: fromMs + 7 * hourMs + 1 },
  ];
  const { boxes } = draw({ rows: [{ ...row, spans }] });
  const of = (color: string) => boxes.find((box) => box.color === color);
  expect(of('motion')).toMatchObject({ x: 0, width: 300 });
  expect(of('continuous')).toMatchObject({ x: 600, width: 300 });
  expect(of('test')?.width).toBeGreaterThan(1);
  expect(of('ground')).toMatchObject({ x: 0, width: 900 });
  expect(of('now')?.x).toBe(899);
});

test('types differ in their shape and not only in their colour', () => {
  const shapes = recordingTypes.map((type) => {
    const { ink, drawn } = anInk();
    drawSpan(ink, type, { x: 0, y: 0, width: 20, height: 14 }, palette);
    return JSON.stringify(
      drawn.boxes.map((box) => ({ ...box, color: box.color === 'surface' ? 'surface' : 'own' })),
    );
  });
  expect(new Set(shapes).size).toBe(recordingTypes.length);
});

test('names of people stand where there is room, each of several cameras has its own', () => {
  const visit = (minute: number, name: string | null) => ({
    name,
    isKnown: name !== null,
    fromMs: fromMs + minute * 60_000,
    untilMs: fromMs + (minute + 1) * 60_000,
  });
  const visits = [visit(60, 'Leyla'), visit(61, 'Ali'), visit(300, null)];
  expect(textsOf(draw({ rows: [{ ...row, visits }] }))).toEqual(
    expect.arrayContaining(['Leyla', 'unknown']),
  );
  expect(textsOf(draw({ rows: [{ ...row, visits }] }))).not.toContain('Ali');
  expect(textsOf(draw({ rows: [row, null], names: ['Gate', 'Hall'] }))).toEqual(
    expect.arrayContaining(['Gate', 'Hall']),
  );
});

test('the ruler says the day also where no day begins in sight', () => {
  const view = { fromMs: fromMs + hourMs, untilMs: fromMs + 3 * hourMs };
  expect(textsOf(draw({ view }))[0]).toBe('Jan 14, 01:00');
  expect(textsOf(draw({}))[0]).toBe('Jan 14');
});

test('a mark on a row is of its camera', () => {
  for (const rows of [1, 2, 9]) {
    for (let index = 0; index < rows; index++) {
      const { barPx, peoplePx } = rowLayout(index, rows);
      expect([rowAt(barPx, rows), rowAt(peoplePx, rows)]).toEqual([index, index]);
    }
    expect([rowAt(0, rows), rowAt(heightPx(rows) + 50, rows)]).toEqual([0, rows - 1]);
  }
  expect(rowLayout(0, 1).topPx).toBe(rulerPx);
});

const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: string, other: string): number => {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
};

test('everything drawn has three times the contrast of its ground in both themes, names four and a half', () => {
  const css = readFileSync(join(import.meta.dirname, '../../../styles.css'), 'utf8');
  for (const theme of [/:root \{([^}]*)\}/, /\.dark \{([^}]*)\}/]) {
    const element = document.createElement('div');
    for (const [, name = '', value = ''] of (theme.exec(css)?.[1] ?? '').matchAll(
      /(--[\w-]+):\s*(#\w+);/g,
    ))
      element.style.setProperty(name, value);
    document.body.append(element);
    const colors = readPalette(element);
    const drawn = { ...colors.types, strong: colors.strong, now: colors.now, mark: colors.mark };
    for (const [name, color] of Object.entries(drawn))
      expect(contrast(color, colors.surface), `${name} ${color}`).toBeGreaterThanOrEqual(3);
    for (const [name, color] of Object.entries(colors.types))
      expect(contrast(color, colors.ground), `${name} on the ground`).toBeGreaterThanOrEqual(3);
    for (const color of [colors.known, colors.unknown, colors.quiet, colors.text])
      expect(contrast(color, colors.surface)).toBeGreaterThanOrEqual(4.5);
    element.remove();
  }
});
