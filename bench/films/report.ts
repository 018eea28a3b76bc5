/** The results of films, as tables. */
import { percent } from '../faces/report.ts';
import { tenth, whole } from '../rig/numbers.ts';
import type { Conditions } from '../rig/processes.ts';
import { table } from '../table.ts';
import type { Crossing } from './crossings.ts';
import type { ByWay, Known } from './known.ts';
import type { Hard } from './hard.ts';
import type { Strangers, StrangersTwice } from './strangers.ts';
import type { Stay } from './staying.ts';
import { sumOf, type Tracking } from './tracking.ts';

export interface Report {
  crossings?: readonly Crossing[];
  strangers?: StrangersTwice;
  known?: Known;
  knownByThree?: Known;
  staying?: readonly Stay[];
  sub?: readonly ByWay[];
  hard?: readonly Hard[];
  conditions?: Conditions;
}

export function printed(report: Report): string {
  const { crossings, strangers, known, knownByThree, staying, sub, hard, conditions } = report;
  const blocks: string[] = [];
  if (crossings) blocks.push(crossingTable(crossings), logTable(crossings));
  if (strangers) {
    blocks.push(strangersText('people who could be enrolled', strangers.enrollable));
    blocks.push(strangersText('these and thumbnails that could not', strangers.withThumbnails));
  }
  if (known) blocks.push(knownText(known, 'one photo'));
  if (knownByThree) blocks.push(knownText(knownByThree, 'three photos'));
  if (staying) blocks.push(stayingText(staying));
  if (sub) blocks.push(subTable(sub));
  if (hard) blocks.push(hardTable(hard));
  if (conditions) {
    blocks.push(`load ${tenth(conditions.load)}, cores busy ${whole(100 * conditions.busy)} %`);
  }
  return blocks.join('\n\n');
}

const counted = ({ switches, passedOn, fragmentations, inPlainView, followed }: Tracking) => [
  String(switches),
  String(passedOn),
  String(fragmentations),
  String(inPlainView - followed),
];

function byKind(crossings: readonly Crossing[]): [string, readonly Crossing[]][] {
  return [...Map.groupBy(crossings, ({ kind }) => kind), ['together', crossings]];
}

function crossingTable(crossings: readonly Crossing[]): string {
  const rows = byKind(crossings).map(([kind, films]) => {
    const ours = sumOf(films.map((film) => film.ours));
    const overlap = sumOf(films.map((film) => film.overlap));
    return [
      kind,
      String(films.length),
      String(ours.inPlainView),
      ...counted(ours),
      ...counted(overlap),
    ];
  });
  const what = ['switches', 'passed on', 'fragments', 'missed'];
  return table(['crossings', 'films', 'faces', ...what, ...what.map((it) => `IoU ${it}`)], rows);
}

const total = (
  films: readonly Crossing[],
  of: 'names' | 'wrongNames' | 'people' | 'visits' | 'wrongVisits',
): string => String(films.reduce((sum, film) => sum + film[of], 0));

function logTable(crossings: readonly Crossing[]): string {
  const rows = byKind(crossings).map(([kind, films]) => [
    kind,
    total(films, 'names'),
    total(films, 'wrongNames'),
    total(films, 'people'),
    total(films, 'visits'),
    total(films, 'wrongVisits'),
  ]);
  return table(['what was said', 'boxes named', 'wrongly', 'people', 'visits', 'wrong'], rows);
}

/** Nothing in this time means at most this many an hour, with 95 %: -ln 0.05. */
const ruleOfThree = 3;

function strangersText(others: string, it: Strangers): string {
  const minutes = it.seconds / 60;
  const { people, photos, gallery, appearances, logged, visits, ghosts, confirmed } = it;
  const rows = it.nearest.map(({ probability, inView, taken }) => [
    `${tenth(100 * probability)} %`,
    inView.join(', '),
    taken,
  ]);
  const perHour = tenth((ruleOfThree * 60) / minutes);
  const bound = confirmed === 0 ? ` (at most ${perHour} an hour, 95 %)` : '';
  return [
    `${tenth(minutes)} minutes of strangers: ${people} people by ${photos} photos, before ${gallery.photos} photos of ${gallery.people} others (${others})`,
    `${appearances} came by, ${logged} were decided about; ${visits} visits, ${ghosts} of nobody's face; ${it.pictures} pictures analyzed, ${it.compared} vectors compared`,
    `confirmed names: ${confirmed}, ${percent(it.rate)} % of who came by${bound}; boxes with a name: ${it.namedBoxes}`,
    `${tenth(it.cpuMs / it.pictures)} ms of processor a picture, making the film left out`,
    table(['nearest', 'in view', 'taken for'], rows),
  ].join('\n');
}

function knownText(it: Known, by: string): string {
  const { n, p50, p95, max } = it.delays;
  return [
    `${tenth(it.seconds / 60)} minutes of ${it.people} enrolled people by ${by}, ${it.appearances} came by`,
    `named within 2 s: ${percent(it.inTime)} %; of those whose photo may be named at all: ${percent(it.inTimeNameable)} % (${it.unlike} photos are further from those enrolled)`,
    `${n} named, ms until then: median ${whole(p50)}, 95 % ${whole(p95)}, most ${whole(max)}`,
    `boxes named ${it.names}, wrongly ${it.wrongNames}; visits ${it.visits}, of somebody who was not there ${it.wrongVisits}`,
    `never named: ${it.neverNamed.join(', ') || 'nobody'}`,
  ].join('\n');
}

function stayingText(stays: readonly Stay[]): string {
  const rows = [true, false].map((isEnrolled) => {
    const some = stays.filter((it) => it.isEnrolled === isEnrolled);
    const sum = (of: 'appearances' | 'visits' | 'right' | 'people'): string =>
      String(some.reduce((total, it) => total + it[of], 0));
    const who = isEnrolled ? 'enrolled' : 'strangers';
    return [
      who,
      String(some.length),
      sum('appearances'),
      sum('visits'),
      sum('right'),
      sum('people'),
    ];
  });
  return table(
    ['who stays and turns away', 'people', 'times', 'visits', 'right', 'taken for'],
    rows,
  );
}

function subTable(ways: readonly ByWay[]): string {
  const rows = ways.map(({ sizes, way, known, cpuMsPerSecond, mainStream }) => {
    const { appearances, neverNamed, inTime, delays, wrongNames, names } = known;
    return [
      sizes.join(' to '),
      way,
      `${appearances - neverNamed.length} of ${appearances}`,
      percent(inTime),
      `${whole(delays.p50)}, ${whole(delays.p95)}`,
      `${wrongNames} of ${names}`,
      `${known.visits}, ${known.wrongVisits}`,
      tenth(cpuMsPerSecond),
      `${mainStream.detected}, ${mainStream.refused}`,
    ];
  });
  return table(
    [
      'face, px',
      'streams',
      'named',
      'within 2 s',
      'after ms: median, p95',
      'wrong names',
      'visits, wrong',
      'cpu ms / s',
      'main stream, refused',
    ],
    rows,
  );
}

function hardTable(conditions: readonly Hard[]): string {
  const rows = conditions.map(({ name, known, faces, refused }) => {
    const { appearances, neverNamed, inTime, names, wrongNames, visits, wrongVisits } = known;
    const why = Object.entries(refused).map(([fault, count]) => `${fault} ${count}`);
    return [
      name,
      `${appearances - neverNamed.length} of ${appearances}`,
      percent(inTime),
      `${wrongNames} of ${names}`,
      `${wrongVisits} of ${visits}`,
      String(faces),
      why.join(', ') || '-',
    ];
  });
  const what = ['named', 'within 2 s, %', 'wrong boxes', 'wrong visits', 'faces found', 'refused'];
  return table(['hard pictures', ...what], rows);
}
