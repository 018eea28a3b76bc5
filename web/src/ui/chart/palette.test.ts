/** The colours of charts and avatars as styles.css and the profile have them, seen as people see them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Triple = readonly [number, number, number];
const src = join(import.meta.dirname, '../..');
const styles = readFileSync(join(src, 'styles.css'), 'utf8');
const [, light = '', dark = ''] = /:root \{(.*?)\n\}.*?\n\.dark \{(.*?)\n\}/s.exec(styles) ?? [];
const named = (theme: string, name: string): string =>
  new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(theme)?.[1] ?? '';
const ten = (theme: string): string[] =>
  Array.from({ length: 10 }, (_, index) => named(theme, `c${index + 1}`));

/** Linear light, 0 to 1. */
const linearOf = (hex: string): Triple =>
  [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const times = (rows: readonly Triple[], v: Triple): Triple =>
  rows.map((row) => dot(row, v)) as unknown as Triple;

const luminance = (hex: string): number => dot([0.2126, 0.7152, 0.0722], linearOf(hex));
function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** Machado, Oliveira, Fernandes 2009, severity 1, on linear light. */
const eyes: Readonly<Record<string, readonly Triple[]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** OKLab times 100 of linear light. */
function oklab(color: Triple): Triple {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    color,
  ).map(Math.cbrt) as unknown as Triple;
  return times(
    [
      [21.04542553, 79.3617785, -0.40720468],
      [197.79984951, -242.8592205, 45.05937099],
      [2.59040371, 78.27717662, -80.8675766],
    ],
    cones,
  );
}

function smallestDistance(colors: readonly string[], eye: readonly Triple[]): number {
  const seen = colors.map((hex) =>
    oklab(
      times(eye, linearOf(hex)).map((one) => Math.min(1, Math.max(0, one))) as unknown as Triple,
    ),
  );
  const pairs = seen.flatMap((a, at) =>
    seen.slice(at + 1).map((b) => Math.hypot(...a.map((one, i) => one - b[i]!))),
  );
  return Math.min(...pairs);
}

test.each([
  ['NSH-041, CON-027 light', light],
  ['NSH-041, CON-027 dark', dark],
])('%s: ten colours of charts are distinguished with every kind of colour vision', (_, theme) => {
  const colors = ten(theme);
  expect(new Set(colors).size).toBe(10);
  // Five hundredths of OKLab are distinguished at a glance, side by side.
  for (const [name, eye] of Object.entries(eyes))
    expect(smallestDistance(colors, eye), name).toBeGreaterThan(5);
  for (const color of colors.filter((one) => one !== '#f59e0b'))
    expect(contrast(color, named(theme, 'surface')), color).toBeGreaterThanOrEqual(3);
});

test('NSH-041, CON-026, CON-027 the colours begin with indigo and amber, which mean recognized and not', () => {
  expect(ten(light).slice(0, 2)).toEqual(['#4f46e5', '#f59e0b']);
  for (const theme of [light, dark]) {
    expect(named(theme, 'recognized')).toBe(named(theme, 'c1'));
    expect(named(theme, 'unrecognized')).toBe(named(theme, 'c2'));
  }
});

test('NSH-041 blue among them, white letters are read on each of the ten swatches of an avatar', () => {
  const source = readFileSync(join(src, 'features/profile/profile-head.tsx'), 'utf8');
  const swatches = /const swatches = \[(.*?)\]/s.exec(source)![1]!.match(/#[0-9a-f]{6}/g)!;
  expect(new Set(swatches).size).toBe(10);
  expect(swatches).toContain('#2563eb');
  for (const color of swatches)
    expect(contrast(color, '#ffffff'), color).toBeGreaterThanOrEqual(4.5);
});
