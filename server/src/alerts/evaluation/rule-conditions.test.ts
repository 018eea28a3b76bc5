import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HouseMode, WatchfulMode } from '@nazar/contract/house-mode.ts';
import type { WeekSchedule } from '@nazar/contract/week-schedule.ts';
import { countsAt, countsThen } from './rule-conditions.ts';

test('~ALR-012 a rule counts at its cameras and at those that are in its groups', () => {
  const all = { camera_ids: null, camera_group_ids: [] };
  const some = { camera_ids: ['gate'], camera_group_ids: ['outside', 'doors'] };
  const none = { camera_ids: [], camera_group_ids: [] };
  const at = (camera_id: string | null, ...groups: string[]) => ({
    camera_id,
    camera_group_ids: groups,
  });
  const cases: [typeof some | typeof all, ReturnType<typeof at>, boolean][] = [
    [all, at('gate'), true],
    [all, at(null), true],
    [some, at('gate'), true],
    [some, at('yard', 'doors'), true],
    [some, at('yard', 'inside', 'outside'), true],
    [some, at('yard', 'inside'), false],
    [some, at('yard'), false],
    [some, at(null), false],
    [none, at('gate', 'doors'), false],
  ];
  for (const [rule, place, counts] of cases) {
    assert.equal(countsAt(rule, place), counts, JSON.stringify([rule, place]));
  }
});

const at = (iso: string, mode: HouseMode = 'home') => ({ started_at: new Date(iso), mode });
const always = { schedule: null, modes: ['home', 'away'] as WatchfulMode[] };

test('~ALR-012 a rule counts in its modes, and in none of them when the house is off', () => {
  const cases: [WatchfulMode[], HouseMode, boolean][] = [
    [['home', 'away'], 'home', true],
    [['home', 'away'], 'away', true],
    [['home', 'away'], 'off', false],
    [['away'], 'home', false],
    [['away'], 'away', true],
    [['away'], 'off', false],
    [['home'], 'away', false],
  ];
  for (const [modes, mode, counts] of cases) {
    const moment = at('2026-01-19T12:00:00Z', mode);
    assert.equal(countsThen({ ...always, modes }, moment), counts, `${modes.join()} in ${mode}`);
  }
});

/** Nights of Berlin, which is an hour ahead of UTC in winter and two in summer: 29 March and 25 October 2026 change. */
const nights: WeekSchedule = {
  timeZone: 'Europe/Berlin',
  spans: [
    { day: 6, from: '22:00', until: '24:00' },
    { day: 7, from: '00:00', until: '02:30' },
    { day: 7, from: '08:00', until: '09:00' },
  ],
};

test('~ALR-012 a table goes by the clocks of its zone, through both changes of summer time', () => {
  const cases: Record<string, boolean> = {
    // Winter.
    '2026-03-21T20:59:59Z': false,
    '2026-03-21T21:00:00Z': true,
    '2026-03-22T01:29:59Z': true,
    '2026-03-22T01:30:00Z': false,
    '2026-03-22T07:30:00Z': true,
    // 02:00 becomes 03:00: the half hour from 02:00 is not on the clocks.
    '2026-03-28T21:00:00Z': true,
    '2026-03-29T00:59:59Z': true,
    '2026-03-29T01:00:00Z': false,
    '2026-03-29T06:30:00Z': true,
    '2026-03-29T07:30:00Z': false,
    // 03:00 becomes 02:00: the half hour from 02:00 is on the clocks twice.
    '2026-10-24T20:00:00Z': true,
    '2026-10-25T00:29:59Z': true,
    '2026-10-25T00:30:00Z': false,
    '2026-10-25T01:00:00Z': true,
    '2026-10-25T01:30:00Z': false,
    '2026-10-25T06:30:00Z': false,
    '2026-10-25T07:30:00Z': true,
  };
  for (const [iso, counts] of Object.entries(cases)) {
    assert.equal(countsThen({ ...always, schedule: nights }, at(iso)), counts, iso);
  }
  const noon = at('2026-03-21T21:00:00Z', 'away');
  assert.equal(countsThen({ schedule: nights, modes: ['home'] }, noon), false, 'table and mode');
});
