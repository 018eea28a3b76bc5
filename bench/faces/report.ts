/** The figures as tables for people and as JSON for programs. */
import { table } from '../table.ts';
import { fars } from './accuracy.ts';
import type { Figures, Group, Transfer } from './figures.ts';
import type { Share } from './intervals.ts';

export interface Report {
  readonly figures: Figures;
  readonly thumbnails: readonly string[];
  readonly unreadable: number;
}

const tenth = (part: number): string => (100 * part).toFixed(1);

/** Per cent with what it may be by chance. */
export function percent({ value, low, high }: Share): string {
  return Number.isNaN(value) ? '-' : `${tenth(value)} (${tenth(low)}-${tenth(high)})`;
}

export function print({ figures, thumbnails }: Report): void {
  const { everyday, thumbnails: small, ladder } = figures;
  if (everyday) console.log(`\nPhotos\n${groupTable(everyday)}`);
  if (small) console.log(`\nThumbnails (${thumbnails.join(', ')})\n${groupTable(small)}`);
  if (ladder) console.log(`\n${ladderTable(ladder)}`);
}

function groupTable({ verification, openSet, transfers }: Group): string {
  const { photos, people, genuinePairs, impostorPairs } = verification;
  const rows: string[][] = [
    ['faces found', percent(verification.detectionRate), ''],
    ['best accuracy of one limit', percent(verification.accuracy), ''],
    ...fars.map((far) => [
      `TAR at FAR ${farName(far)}${tooFew(far, impostorPairs)}`,
      percent(verification.tar[far]!),
      percent(verification.tarFound[far]!),
    ]),
    ['TPIR at FPIR 1 %, 1 photo', percent(openSet.k1), ''],
    ['TPIR at FPIR 1 %, 3 photos', percent(openSet.k3), ''],
  ];
  const head = [`${photos} photos, ${people} people`, 'per cent (95 %)', 'of those found'];
  const pairs = `${genuinePairs} pairs of one person, ${impostorPairs} of two`;
  return `${pairs}\n${table(head, rows)}\n\n${transferTable(transfers)}`;
}

const farName = (far: string): string => `${Number((100 * Number(far)).toPrecision(2))} %`;

/** With fewer impostors than 1 / FAR not one may be accepted: stricter than asked, and proof of little. */
function tooFew(far: string, impostorPairs: number): string {
  return impostorPairs * Number(far) < 1 ? ' (too few pairs)' : '';
}

function transferTable(transfers: readonly Transfer[]): string {
  const rows = transfers.map(({ far, threshold, tar, farThere }, i) => [
    `FAR ${farName(far)} of ${i < fars.length ? 'first' : 'second'} half`,
    threshold.toFixed(3),
    (100 * tar).toFixed(1),
    `${(100 * farThere).toFixed(3)} %`,
  ]);
  return table(['limit that gives', 'is', 'TAR on the other', 'FAR on the other'], rows);
}

function ladderTable(ladder: NonNullable<Figures['ladder']>): string {
  const rows = Object.entries(ladder)
    .toSorted(([a], [b]) => Number(b) - Number(a))
    .map(([iodPx, { detection, tar, tarFound, farAtFullSizeLimit }]) => [
      `${iodPx} px (${detection.of} photos)`,
      percent(detection),
      percent(tar),
      percent(tarFound),
      `${(100 * farAtFullSizeLimit).toFixed(2)} %`,
    ]);
  const head = [
    'between the eyes',
    'found',
    'TAR at FAR 0.1 %',
    'of those found',
    'FAR at full limit',
  ];
  return table(head, rows);
}

export function jsonOf({ figures, thumbnails, unreadable }: Report): unknown {
  return { unreadable, thumbnails, ...summary(figures) };
}

const values = (shares: Readonly<Record<string, Share>>): Record<string, number> =>
  Object.fromEntries(Object.entries(shares).map(([key, { value }]) => [key, value]));

/** Plain numbers where a program looks first; intervals and the rest below `details`. */
function summary(figures: Figures): Record<string, unknown> {
  const { everyday, ladder } = figures;
  return {
    ...(everyday && {
      detectionRate: everyday.verification.detectionRate.value,
      accuracy: everyday.verification.accuracy.value,
      tar: values(everyday.verification.tar),
      tpirAtFpir1: values(everyday.openSet),
    }),
    ...(ladder && {
      iod: Object.fromEntries(Object.entries(ladder).map(([px, { tar }]) => [px, tar.value])),
    }),
    details: figures,
  };
}
