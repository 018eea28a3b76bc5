/** The figures as tables for people and as JSON for programs. */
import { table } from '../table.ts';
import { fars } from './accuracy.ts';
import type { Figures, Group, Report, Rung, Transfer } from './figures.ts';
import type { Film } from './film.ts';
import type { Share } from './intervals.ts';
import type { Tenth } from './reliability.ts';
import type { Speed } from './speed.ts';
import { planted, rounds, type Fate, type WrongPhotos } from './wrong-photos.ts';

const tenth = (part: number): string => (100 * part).toFixed(1);
const ms = (value: number): string => value.toFixed(value < 1 ? 2 : 1);

/** Per cent with its interval. */
export function percent(share: Share | undefined): string {
  if (!share || Number.isNaN(share.value)) return '-';
  return `${tenth(share.value)} (${tenth(share.low)}-${tenth(share.high)})`;
}

export function print({ ours, peers, thumbnails, speed, film, conditions }: Report): void {
  const all = [ours, ...peers];
  const blocks: string[] = [];
  if (ours.everyday) {
    blocks.push(groupTable('photos', all), transferTable(ours.everyday.transfers));
  }
  if (ours.thumbnails) {
    const small: Figures = { name: ours.name, everyday: ours.thumbnails };
    blocks.push(groupTable(`thumbnails (${thumbnails.join(', ')})`, [small]));
  }
  if (ours.reliability) {
    blocks.push(tenthsTable('pairs of photos', ours.reliability.pairs));
    blocks.push(tenthsTable('nearest, half strangers', ours.reliability.nearest));
  }
  if (ours.mistakes) blocks.push(mistakesTable('photos', ours.mistakes));
  if (ours.smallMistakes) blocks.push(mistakesTable('with thumbnails', ours.smallMistakes));
  for (const { name, ladder } of all) if (ladder) blocks.push(ladderTable(name, ladder));
  if (speed) blocks.push(speedTable(speed, ours.name));
  if (ours.searchMs) blocks.push(searchTable(all));
  if (film) blocks.push(filmTable(film, ours.name));
  if (conditions) {
    blocks.push(`load ${conditions.load.toFixed(1)}, cores busy ${tenth(conditions.busy)} %`);
  }
  console.log(blocks.join('\n\n'));
}

function groupTable(title: string, all: readonly Figures[]): string {
  const groups = all.map(({ everyday }) => everyday);
  const { photos, people, genuinePairs, impostorPairs } = groups[0]!.verification;
  const row = (name: string, pick: (group: Group) => Share): string[] => [
    name,
    ...groups.map((group) => percent(group && pick(group))),
  ];
  const rows = [
    row('faces found', ({ verification }) => verification.detectionRate),
    row('best accuracy of one limit', ({ verification }) => verification.accuracy),
    ...fars.flatMap((far) => {
      const name = `TAR at FAR ${farName(far)}${tooFew(far, impostorPairs)}`;
      return [
        row(name, ({ verification }) => verification.tar[far]!),
        row('  of those found', ({ verification }) => verification.tarFound[far]!),
      ];
    }),
    row('TPIR at FPIR 1 %, 1 photo', ({ openSet }) => openSet.k1),
    row('TPIR at FPIR 1 %, 3 photos', ({ openSet }) => openSet.k3),
  ];
  const head = ['per cent (95 %)', ...all.map(({ name }) => name)];
  return `${photos} ${title} of ${people} people: ${genuinePairs} pairs of one person, ${impostorPairs} of two\n${table(head, rows)}`;
}

const farName = (far: string): string => `${Number((100 * Number(far)).toPrecision(2))} %`;

/** With fewer impostors than 1 / FAR not one may be accepted: stricter than asked, and proof of little. */
function tooFew(far: string, impostorPairs: number): string {
  return impostorPairs * Number(far) < 1 ? ' (none accepted)' : '';
}

function transferTable(transfers: readonly Transfer[]): string {
  const rows = transfers.map(({ far, threshold, tar, farThere }, i) => [
    `FAR ${farName(far)} of ${i < fars.length ? 'first' : 'second'} half`,
    threshold.toFixed(3),
    tenth(tar),
    `${(100 * farThere).toFixed(3)} %`,
  ]);
  const head = ['limit of one half of the people', 'is', 'TAR of the other', 'FAR of the other'];
  return table(head, rows);
}

function tenthsTable(title: string, tenths: readonly Tenth[]): string {
  const rows = tenths.map(({ tenth: at, comparisons, shown, right }) => [
    `${10 * at} to ${10 * at + 10} %`,
    String(comparisons),
    tenth(shown),
    tenth(right),
  ]);
  return table([title, 'comparisons', 'shown, %', 'right, %'], rows);
}

const fateRow = (name: string, { of, aside, marked }: Fate): string[] =>
  [name, of, aside, marked].map(String);

function mistakesTable(title: string, { clean, wrong, right, missed, lost }: WrongPhotos): string {
  const rows = [
    fateRow('right, nothing planted', clean),
    fateRow(`wrong, ${rounds} rounds`, wrong),
    fateRow('right, beside them', right),
  ];
  const worst = `worst round: ${missed} of ${planted} wrong ones not set aside, ${lost} right ones set aside`;
  return `${table([`mistakes, ${title}`, 'photos', 'set aside', 'marked'], rows)}\n${worst}`;
}

function ladderTable(name: string, ladder: Readonly<Record<string, Rung>>): string {
  const rows = Object.entries(ladder)
    .toSorted(([a], [b]) => Number(b) - Number(a))
    .map(([iodPx, { detection, tar, tarFound, farAtFullSizeLimit }]) => [
      `${iodPx} px (${detection.of} photos)`,
      percent(detection),
      percent(tar),
      percent(tarFound),
      `${(100 * farAtFullSizeLimit).toFixed(2)} %`,
    ]);
  const head = [`${name}, between the eyes`, 'found', 'TAR at FAR 0.1 %', 'of those found'];
  return table([...head, 'FAR at full-size limit'], rows);
}

function speedTable({ picture, network, stages }: Speed, us: string): string {
  const times = (values: Readonly<Record<string, number>>, name: string): string[] => {
    const value = values[name];
    return value === undefined ? ['-', '-'] : [ms(value), (value / values[us]!).toFixed(1)];
  };
  const rows = Object.entries(picture).map(([name, cpuMs]) => [
    name,
    ...times(picture, name),
    (1000 / cpuMs).toFixed(1),
    ...times(network, name),
  ]);
  const head = ['640x360, one face, CPU ms', 'picture', 'times', 'a second and core'];
  const costs = Object.entries(stages).map(([stage, cpuMs]) => `${stage} ${ms(cpuMs)}`);
  const own = `of ${us}: ${costs.join(', ')} (with its mirror image)`;
  return `${table([...head, 'recognition net', 'times'], rows)}\n${own}`;
}

function searchTable(all: readonly Figures[]): string {
  const sizes = Object.keys(all[0]!.searchMs ?? {});
  const rows = sizes.map((size) => [size, ...all.map(({ searchMs }) => msOr(searchMs?.[size]))]);
  return table(['vectors, search in CPU ms', ...all.map(({ name }) => name)], rows);
}

const msOr = (value: number | undefined): string => (value === undefined ? '-' : ms(value));

function filmTable({ pictures, cpuMs, verdict }: Film, us: string): string {
  const { visits, named, slowestMs, wrong } = verdict;
  const slowest = slowestMs === null ? '' : `, the slowest after ${slowestMs} ms`;
  const rows = Object.entries(cpuMs).map(([name, cost]) => [
    name,
    ms(cost),
    (1000 / cost).toFixed(1),
  ]);
  const said = `film of ${pictures} pictures: ${us} named ${named} of ${visits}${slowest}; wrong names ${wrong}`;
  return `${said}\n${table(['film', 'CPU ms a picture', 'a second and core'], rows)}`;
}

const values = (shares: Readonly<Record<string, Share>>): Record<string, number> =>
  Object.fromEntries(Object.entries(shares).map(([key, { value }]) => [key, value]));

/** Plain numbers first for programs; intervals and the rest below `details`. */
export function jsonOf(report: Report): unknown {
  const { ours, peers, thumbnails, unreadable, speed, film, conditions } = report;
  const [faceApi, human] = peers;
  return {
    ...summary(ours, speed),
    peers: {
      ...(faceApi && { faceApi: summary(faceApi, speed) }),
      ...(human && { human: summary(human, speed) }),
    },
    speed,
    film,
    thumbnails,
    unreadable,
    conditions,
  };
}

function summary(figures: Figures, speed: Speed | undefined): Record<string, unknown> {
  const { name, everyday, ladder, searchMs } = figures;
  return {
    name,
    ...(everyday && {
      detectionRate: everyday.verification.detectionRate.value,
      accuracy: everyday.verification.accuracy.value,
      tar: values(everyday.verification.tar),
      tpirAtFpir1: values(everyday.openSet),
    }),
    ...(ladder && {
      iod: Object.fromEntries(Object.entries(ladder).map(([px, { tar }]) => [px, tar.value])),
    }),
    ...(speed && { cpuMsPerPicture: speed.picture[name] }),
    ...(searchMs && { searchMs }),
    details: figures,
  };
}
