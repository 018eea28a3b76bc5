import { SeenPerson } from '@nazar/contract/visit-counts.ts';
import type { Visit } from '@nazar/contract/visits.ts';
import { expect, test } from 'vitest';
import { activitySearch } from '../search.ts';
import { byDays, byHours, mondaysOf, sumByWeek } from './heat.ts';
import { choosable } from './people.ts';
import { filtersOf } from './panel-filters.ts';
import { countDays, datesOf, daysOf, periodBefore, periodOf } from './period.ts';
import { sampleCounts } from './sample-counts.ts';
import { cameraStatsOf, listOf, pageOf, parsed, visitPageOf, visitsOf } from './shapes.ts';

const id = '44444444-4444-4444-8444-444444444444';
const aVisit: Visit = {
  id,
  person_name: 'Leyla',
  person_id: null,
  camera_id: id,
  camera_name: 'Gate',
  timestamp: '2026-03-04T05:06:07.000Z',
  ended_at: '2026-03-04T05:06:27.000Z',
  confidence: null,
  is_recognized: false,
  face_image_url: null,
  picture_hidden: false,
  location: 'Yard',
  is_corrected: false,
  attributes: null,
  may_play: false,
  recorded_at: null,
};

/** Noon of a Wednesday, by whatever clock the tests run. */
const now = new Date(2026, 2, 4, 12).getTime();

test('NAV-024, LDO-004, CON-021 the address says tab, panel and filters, and nothing that is usual or odd', () => {
  const camera = '44444444-4444-4444-8444-444444444444';
  expect(
    activitySearch({
      tab: 'analytics',
      panel: 'heatmap',
      days: 30,
      camera,
      person: 'Leyla',
      known: 'no',
      scale: 'week',
      form: 'donut',
      hour: 14,
    }),
  ).toEqual({
    tab: 'analytics',
    panel: 'heatmap',
    days: 30,
    camera,
    person: 'Leyla',
    known: 'no',
    scale: 'week',
    form: 'donut',
    hour: 14,
  });
  expect(
    activitySearch({
      tab: 'list',
      panel: 'overview',
      days: 7,
      camera: "' or 1=1",
      known: 'maybe',
      scale: 'hour',
      form: 'bar',
      hour: 24,
    }),
  ).toEqual({});
  expect(
    activitySearch({ panel: 'logs', days: 8, level: 'fatal', source: 'x'.repeat(41) }),
  ).toEqual({});
  const line = { panel: 'system', level: 'error', source: 'media' } as const;
  expect(activitySearch(line)).toEqual(line);
});

test('LDF-001, LDO-004 a period is the last days, today included, or from one date to the other', () => {
  expect(periodOf({}, now)).toMatchObject({
    from: '2026-02-26',
    to: '2026-03-04',
    isByDates: false,
  });
  expect(countDays(periodOf({ days: 90 }, now))).toBe(90);
  const march = periodOf({ from: '2026-03-01', to: '2026-03-03', hour: 4 }, now);
  expect(daysOf(march)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
  expect(datesOf(march)).toEqual({ start_date: '2026-03-01', end_date: '2026-03-03' });
});

test('~NSH-044 an hour of a day is asked for by its instants, by the clock of the reader', () => {
  const { start_date, end_date } = datesOf(
    periodOf({ from: '2026-03-02', to: '2026-03-02', hour: 14 }, now),
  );
  expect(new Date(start_date).getHours()).toBe(14);
  expect(Date.parse(end_date) - Date.parse(start_date)).toBe(3_600_000);
});

test('LDO-003 only administrators have the filter by user', () => {
  expect(filtersOf('overview', true)).toEqual(['period', 'search', 'type', 'user']);
  expect(filtersOf('overview', false)).toEqual(['period', 'search', 'type']);
});

test('=LDH-001 the heatmap by hours of the week, by days of weeks, by weeks', () => {
  const week = periodOf({}, now);
  const hours = byHours(week);
  expect(hours).toHaveLength(7);
  expect(hours[0]!.cells[5]).toEqual({ weekday: 1, hour: 5, day: '2026-03-02' });
  // In 30 days an hour of the week is several hours.
  expect(byHours(periodOf({ days: 30 }, now))[0]!.cells[0]!.day).toBeNull();
  const days = byDays(week);
  expect(days.map(({ row }) => row)).toEqual(['2026-02-23', '2026-03-02']);
  expect(days[0]!.cells.slice(0, 4)).toEqual([null, null, null, '2026-02-26']);
  expect(mondaysOf(week)).toEqual(['2026-02-23', '2026-03-02']);
  const sums = sumByWeek(
    new Map([
      ['2026-02-26', 2],
      ['2026-03-01', 3],
      ['2026-03-02', 4],
    ]),
  );
  expect([...sums]).toEqual([
    ['2026-02-23', 5],
    ['2026-03-02', 4],
  ]);
});

test('~LDH-006, LOG-050 the sample is of fifty visits in each scale, on days of the period, the same each time', () => {
  const sum = (counts: Map<string, number>): number =>
    [...counts.values()].reduce((all, count) => all + count, 0);
  for (const days of [7, 30, 90] as const) {
    const period = periodOf({ days }, now);
    expect(sum(sampleCounts('hour', period))).toBe(50);
    const byDay = sampleCounts('day', period);
    expect(sum(byDay)).toBe(50);
    expect(byDay.size).toBe(Math.min(days, 50));
    expect(daysOf(period)).toEqual(expect.arrayContaining([...byDay.keys()]));
    expect(sampleCounts('day', period)).toEqual(byDay);
  }
  expect(sampleCounts('hour', periodOf({}, now)).get('4-8')).toBe(2);
});

test('figures are compared with as many days right before, until the same time where the last is not over', () => {
  const week = periodBefore(periodOf({}, now), now);
  expect(week).toMatchObject({ from: '2026-02-19', to: '2026-02-25', hour: null });
  expect(new Date(week.untilMs!)).toEqual(new Date(2026, 1, 25, 12));
  expect(datesOf(week)).toEqual({
    start_date: new Date(2026, 1, 19).toISOString(),
    end_date: new Date(2026, 1, 25, 12).toISOString(),
  });
  const march = periodBefore(periodOf({ from: '2026-03-01', to: '2026-03-03' }, now), now);
  expect(datesOf(march)).toEqual({ start_date: '2026-02-26', end_date: '2026-02-28' });
});

test('~LDH-007, ~ERR-025, CFL-032 a list or its results are taken, any other shape is a failure', () => {
  const row: SeenPerson = { key: 'unknown', name: 'Leyla Orucova', visits: 12 };
  for (const reply of [[row], { results: [row] }]) expect(listOf(SeenPerson, reply)).toEqual([row]);
  const odd = [null, 'text', 7, {}, { results: 'x' }, [null], { results: [1] }];
  for (const reply of [...odd, [row, {}], [{ ...row, visits: 'many' }]]) {
    expect(() => listOf(SeenPerson, reply)).toThrow('Invalid API response format');
  }
  for (const reply of [[], {}]) {
    expect(() => parsed(SeenPerson, reply)).toThrow('Invalid API response format');
  }
  expect(pageOf(SeenPerson, { count: 10_000, more: true, results: [] })).toEqual({
    count: 10_000,
    more: true,
    results: [],
  });
});

test('~LDC-007 visits one by one make the figures of their cameras, the busiest first', () => {
  const at = (camera_name: string, is_recognized: boolean) =>
    ({ camera_id: camera_name, camera_name, is_recognized }) as Visit;
  expect(cameraStatsOf([at('Gate', true), at('Lobby', true), at('Lobby', false)])).toEqual([
    {
      camera_id: 'Lobby',
      camera_name: 'Lobby',
      total_detections: 2,
      recognized_count: 1,
      unrecognized_count: 1,
    },
    {
      camera_id: 'Gate',
      camera_name: 'Gate',
      total_detections: 1,
      recognized_count: 1,
      unrecognized_count: 0,
    },
  ]);
});

test('LDT-009, CFL-031 the server says who is recognized; where it does not, the name does, whatever its letters', () => {
  const at = (person_name: string, is_recognized?: boolean) => ({
    ...aVisit,
    person_name,
    is_recognized,
  });
  const visits = [
    at('Manon', true),
    at('Manon'),
    at('ANONYMOUS'),
    at('unknown 14'),
    at('Unknown', false),
    at('Leyla'),
    at('Leyla', false),
  ];
  const known = [true, false, false, false, false, true, false];
  for (const reply of [visits, { count: 7, results: visits }]) {
    expect(visitsOf(reply).map(({ is_recognized }) => is_recognized)).toEqual(known);
    expect(visitPageOf(reply).results.map(({ is_recognized }) => is_recognized)).toEqual(known);
  }
  expect(visitPageOf({ count: 7, results: visits }).count).toBe(7);
});

test('LDP-003, ~CFL-031 unknown and anonymous visits are not offered in the list of people, nor counted as recognized; Manon is', () => {
  const manon = '55555555-5555-4555-8555-555555555555';
  const row = (name: string, key: string) => ({ name, key, visits: 3 });
  const rows = [
    row('Manon', manon),
    row('Unknown', 'unknown'),
    row('Anonymous', 'anonymous'),
    row('Known person', 'hidden'),
    row('Erased person', 'erased'),
  ];
  expect(choosable(rows)).toEqual([
    { person: manon, person_id: manon, person_name: 'Manon', visits: 3 },
    { person: 'Erased person', person_id: null, person_name: 'Erased person', visits: 3 },
  ]);
  const unsaid = ['Unknown', 'Anonymous'].map((person_name) => ({
    ...aVisit,
    person_name,
    is_recognized: undefined,
  }));
  const said = { ...aVisit, person_name: 'Manon', is_recognized: true };
  expect(visitsOf([...unsaid, said]).map(({ is_recognized }) => is_recognized)).toEqual([
    false,
    false,
    true,
  ]);
});
