/** Whatever the address says, a figure counts what the list it leads to holds: both ask the server for the same. */
import { changed } from '#lib/search-values.ts';
import { systemLogLevels } from '@nazar/contract/system-logs.ts';
import * as fc from 'fast-check';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { listQueryOf } from '../queries.ts';
import { activitySearch, type ActivitySearch } from '../search.ts';
import { figures, leadTo, leadToEntries, type Mark } from './figures.ts';
import { askedOf } from './panel-context.ts';
import { panels, periods, scales, visitKinds, type Panel } from './panels.ts';
import { actionsAsked, filtersAsked, timesAsked, visitFilters, type Asked } from './queries.ts';
import { countsAsked, levelsAsked, linesAsked } from './system/lines.ts';

const nowMs = Date.UTC(2026, 2, 4, 15, 20);
const ids = [
  '44444444-4444-4444-8444-444444444444',
  '55555555-5555-4555-8555-555555555555',
] as const;
const days = ['2026-02-27', '2026-03-01', '2026-03-04'] as const;
const maybe = <T>(...values: readonly T[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined });

/** Any address of the log dashboard: every filter may wait in it for another panel. */
const addresses = fc
  .record({
    panel: maybe(...panels),
    days: maybe(...periods),
    dates: maybe([days[0], days[2]], [days[1], days[1]]),
    hour: maybe(0, 13),
    camera: maybe(...ids),
    person: maybe(ids[0], 'Leyla Orucova'),
    known: maybe(...visitKinds),
    search: maybe('door', 'x'),
    type: maybe('camera'),
    action: maybe('login' as const),
    level: maybe(...systemLogLevels),
    source: maybe('recordings', 'browser'),
    scale: maybe(...scales),
    user: maybe(...ids),
    notUser: maybe(...ids),
    page: maybe(2),
  })
  .map(({ dates, ...rest }) =>
    activitySearch({ tab: 'analytics', ...rest, from: dates?.[0], to: dates?.[1] }),
  );
const readers = fc.constantFrom(
  aUser({ is_staff: true, role: 'admin' }),
  aUser({ is_staff: false, role: 'user' }),
);

/** One value for each mark that a figure may have. */
const values = {
  known: fc.constantFrom('yes' as const, 'no' as const),
  person: fc.constantFrom(ids[1], 'Leyla Orucova'),
  camera: fc.constantFrom(...ids),
  level: fc.constantFrom(...systemLogLevels),
  from: fc.constant(days[1]),
  to: fc.constant(days[1]),
  hour: maybe(0, 9),
} as const;

/** How the server counts a mark, beside what it counts for the panel. */
function countedBy({ known, person, camera, level, from, to, hour }: Mark, asked: Asked) {
  const isId = person !== undefined && /^[0-9a-f-]{36}$/.test(person);
  const search: ActivitySearch = { ...(from && { from }), ...(to && { to }) };
  const period =
    from === undefined ? null : askedOf(asked.me, changed(search, { hour }), nowMs).period;
  return {
    ...(known !== undefined && { is_recognized: known === 'yes' }),
    ...(person !== undefined && (isId ? { person_id: person } : { person_name: person })),
    ...(camera !== undefined && { camera_id: camera }),
    ...(level !== undefined && { level }),
    ...(period !== null && datesAsked({ ...asked, period })),
  };
}
const datesAsked = (asked: Asked) => {
  const { start_date, end_date } = filtersAsked('timeline', asked);
  return { start_date, end_date };
};

/** What the server is asked for by the panel that shows the figure. */
function counts(panel: Panel, figure: string, asked: Asked): Record<string, unknown> {
  if (panel === 'system') return { ...countsAsked(asked), source: asked.search.source };
  if (panel === 'overview' && ['level', 'lines'].includes(figure)) return levelsAsked(asked);
  return filtersAsked(panel, asked);
}

const list = (panel: 'timeline' | 'system', asked: Asked): Record<string, unknown> =>
  panel === 'system' ? { ...linesAsked(asked) } : visitFilters('timeline', asked);

/** Without what says nothing. A user who is no administrator reads their own entries, whatever is asked for. */
const said = (query: object): object =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));

interface Declared {
  readonly list: 'timeline' | 'system';
  readonly marks: readonly (keyof typeof values)[];
}
const cases = Object.entries(figures).flatMap(([panel, ofPanel]) =>
  Object.entries(ofPanel as Readonly<Record<string, Declared>>).map(
    ([figure, { list: target, marks }]) => ({
      panel: panel as keyof typeof figures,
      figure,
      target,
      marks,
    }),
  ),
);

test.each(cases)(
  '$panel: $figure counts what its list holds',
  ({ panel, figure, target, marks }) => {
    const marked = fc.record(Object.fromEntries(marks.map((mark) => [mark, values[mark]])));
    fc.assert(
      fc.property(addresses, readers, marked, (search, me, mark) => {
        const asked = askedOf(me, search, nowMs);
        const { person_id, person_name, ...others } = counts(panel, figure, asked);
        // Where one person is counted of those who are filtered by, it is that one.
        const who = 'person' in mark ? {} : { person_id, person_name };
        const counted = { ...others, ...who, ...countedBy(mark, asked) };
        const address = changed(search, leadTo(panel, figure as never, mark));
        expect(address.panel).toBe(target);
        // The address survives a reload.
        const reread = askedOf(me, activitySearch({ ...address }), nowMs);
        expect(said(list(target, reread))).toEqual(said(counted));
      }),
      { numRuns: 300 },
    );
  },
);

test('LDO-013, LDO-014 the figures of entries count what the list of the log holds', () => {
  fc.assert(
    fc.property(addresses, (search) => {
      const asked = askedOf(aUser({ is_staff: true, role: 'admin' }), search, nowMs);
      const {
        sort_by: _by,
        sort_direction: _order,
        page: _page,
        limit: _limit,
        ...all
      } = listQueryOf(leadToEntries(asked, 'entries'));
      expect(said(all)).toEqual(said(timesAsked(asked)));
      const mark = { action: 'login' } as const;
      const {
        sort_by: _b,
        sort_direction: _o,
        page: _p,
        limit: _l,
        ...some
      } = listQueryOf(leadToEntries(asked, 'action', mark));
      expect(said(some)).toEqual(said({ ...actionsAsked(asked), ...mark }));
    }),
  );
});

test('panels lead to lists by their declared figures alone', () => {
  const here = import.meta.dirname;
  const sources = globSync('**/*.{ts,tsx}', { cwd: here }).filter(
    (file) => !file.includes('.test.') && file !== 'figures.ts',
  );
  const leads = /panel:\s*'(timeline|system)'\s*[,})]|to="\/activity-log"/;
  // An address to copy is of one visit or line, and an entry is one line, which count nothing.
  const ofOne = /new URLSearchParams\([^)]*\)|to="\/activity-log" search=\{\{ entry \}\}/g;
  const code = (file: string): string =>
    readFileSync(`${here}/${file}`, 'utf8').replaceAll(ofOne, '');
  const found = sources.filter((file) => leads.test(code(file)));
  expect(found).toEqual([]);
  expect(leads.test("onChange({ panel: 'timeline' })")).toBe(true);
});
