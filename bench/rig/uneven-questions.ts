/** Every list, page, filter and order that reads visits, by name, for data of the uneven shape. */
import { popular } from './uneven-visits.ts';

export interface Asked {
  readonly what: string;
  readonly path: string;
}

export interface UnevenWorld {
  readonly visits: number;
  readonly people: number;
  /** Strangers who are listed. */
  readonly listed: number;
  readonly cameraIds: readonly string[];
  /** The first day, and the day after the last. */
  readonly from: Date;
  readonly until: Date;
}

const log = 'activity-log/face-logs/';
const limit = 100;
const pageSize = 24;

/** Pages: what one takes does not depend on how many rows there are. */
export function pagesOf(world: UnevenWorld): Asked[] {
  return [...visitPages(world), ...personPages(world), ...strangerPages(world)];
}

function visitPages({ visits, cameraIds, until }: UnevenWorld): Asked[] {
  const pages = Math.ceil(visits / limit);
  const face = (what: string, query: string): Asked => ({
    what: `face log, ${what}`,
    path: `${log}?limit=${limit}&${query}`,
  });
  const week = `start_date=${dayBefore(until, 30)}&end_date=${dayBefore(until, 24)}`;
  return [
    { what: 'newest five visits', path: 'faces/detections/?limit=5' },
    face('first page', ''),
    face('page 20', 'page=20'),
    face('middle', `page=${Math.ceil(pages / 2)}`),
    face('of the busiest camera', `camera_id=${cameraIds[0]!}`),
    face('of a quiet camera', `camera_id=${cameraIds.at(-1)!}`),
    face('of a camera, page 5', `camera_id=${cameraIds[0]!}&page=5`),
    face('known people', 'is_recognized=true'),
    face('unknown people', 'is_recognized=false'),
    face('a week', week),
    face('a week of a camera', `${week}&camera_id=${cameraIds[1]!}`),
  ];
}

const person = (what: string, query: string, rows = limit): Asked => ({
  what: `visits of ${what}`,
  path: `${log}?limit=${rows}&${query}`,
});

/** Visits of one person, or stranger: nothing is read of those that are not on the page. */
export function personPages({ people, cameraIds, until }: UnevenWorld): Asked[] {
  const month = `start_date=${dayBefore(until, 30)}&end_date=${dayBefore(until, 1)}`;
  const most = `person_id=${popular.personId}`;
  const stranger = `unknown=${popular.strangerId(people)}`;
  return [
    person('the most frequent person', most),
    person('the most frequent person, page 4', `${most}&page=4`),
    person('the most frequent person of a month', `${most}&${month}`),
    person(
      'the most frequent person at a camera',
      `${most}&camera_id=${cameraIds[37 % cameraIds.length]!}`,
    ),
    person('the most frequent person, five newest', most, 5),
    person('the most frequent person, as recognized', `${most}&is_recognized=true`),
    person('a person by name', 'person_name=%D3%98li%20%C6%8Fliyev%201'),
    person('the most frequent stranger', stranger),
    person('the most frequent stranger, page 2', `${stranger}&page=2`),
    person('the most frequent stranger of a month', `${stranger}&${month}`),
  ];
}

function strangerPages({ listed, cameraIds }: UnevenWorld): Asked[] {
  const last = Math.max(1, Math.ceil(Math.min(listed, 10_000) / pageSize));
  const strangers = (what: string, query: string): Asked => ({
    what: `unknown people ${what}`,
    path: `faces/unknown/?page_size=${pageSize}&${query}`,
  });
  const orders = ['timestamp', '-timestamp', 'number', '-number', 'count', '-count'];
  return [
    ...orders.flatMap((order) => [
      strangers(`by ${order}`, `ordering=${order}`),
      strangers(`by ${order}, page 20`, `ordering=${order}&page=${Math.min(20, last)}`),
      strangers(`by ${order}, last page`, `ordering=${order}&page=${last}`),
    ]),
    strangers('who are new', 'status=new'),
    strangers('who are new, by count', 'status=new&ordering=-count'),
    strangers('of the busiest camera', `camera=${cameraIds[0]!}`),
    strangers('of a quiet camera, by count', `camera=${cameraIds.at(-1)!}&ordering=-count`),
  ];
}

/** Figures and panels: what one takes grows with its period, people and cameras. */
export function panelsOf({ from, until, cameraIds }: UnevenWorld): Asked[] {
  const zones = ['UTC', 'Asia/Baku', 'Asia/Kathmandu'];
  const period = (days: number, zone: string): string => {
    const first = new Date(Math.max(from.getTime(), until.getTime() - days * dayMs));
    return `start_date=${dateOf(first)}&end_date=${dayBefore(until, 1)}&timezone=${zone}`;
  };
  const keys = ['hour', 'day', 'weekday_hour', 'camera', 'kind', 'person'];
  const most = `person_id=${popular.personId}`;
  return [
    { what: 'summary', path: 'analytics/summary/' },
    ...[7, 90].flatMap((days) =>
      keys.flatMap((by) =>
        zones.map((zone) => ({
          what: `${days} days by ${by}, ${zone}`,
          path: `${log}counts/?by=${by}&${period(days, zone)}`,
        })),
      ),
    ),
    ...[7, 90].flatMap((days) => [
      { what: `people of ${days} days`, path: `${log}by-person/?${period(days, zones[1]!)}` },
      {
        what: `people of ${days} days, page`,
        path: `${log}people/?limit=50&${period(days, zones[1]!)}`,
      },
      {
        what: `first and last of one person of ${days} days`,
        path: `${log}by-person/?${most}&${period(days, zones[1]!)}`,
      },
      { what: `cameras of ${days} days`, path: `${log}by-date/?${period(days, zones[1]!)}` },
      {
        what: `daily table of ${days} days`,
        path: `activity-log/daily-face-logs/?limit=20&${period(days, zones[1]!)}`,
      },
      {
        what: `daily table of one person of ${days} days`,
        path: `activity-log/daily-face-logs/?limit=20&${most}&${period(days, zones[1]!)}`,
      },
      {
        what: `${days} days of one person by day`,
        path: `${log}counts/?by=day&${most}&${period(days, zones[1]!)}`,
      },
    ]),
    {
      what: 'details of a camera',
      path: `${log}camera-details/?camera_id=${cameraIds[1]!}&${period(90, zones[1]!)}`,
    },
    { what: 'figures of unknown people', path: 'faces/statistics/' },
  ];
}

const dayMs = 86_400_000;
const dateOf = (date: Date): string => date.toISOString().slice(0, 10);
const dayBefore = (until: Date, days: number): string =>
  dateOf(new Date(until.getTime() - days * dayMs));
