/**
 * The figures of the panels that lead to a list. Each declares here by what it is counted and where it leads; a test
 * proves for any address that both ask the server for the same. No panel makes such a change of the address itself.
 */
import { changed } from '#lib/search-values.ts';
import type { ActivityKind } from '@nazar/contract/activity.ts';
import type { SystemLogLevel } from '@nazar/contract/system-logs.ts';
import type { ActivitySearch, Change } from '../search.ts';
import { filtersOf, type PanelFilter } from './panel-filters.ts';
import type { Panel } from './panels.ts';
import type { Asked } from './queries.ts';

/** What a figure counts of all that its panel does. */
export interface Mark {
  readonly known?: 'yes' | 'no';
  readonly person?: string;
  readonly camera?: string;
  readonly level?: SystemLogLevel;
  readonly action?: ActivityKind | undefined;
  /** Days, both included, and one hour of the only day. */
  readonly from?: string;
  readonly to?: string;
  readonly hour?: number | undefined;
}

interface Figure {
  readonly list: 'timeline' | 'system';
  /** The filters of the address that it is counted by. */
  readonly by: readonly PanelFilter[];
  /** What it counts of them; each is asked of the list besides. */
  readonly marks: readonly (keyof Mark)[];
}

const ofPanel = (panel: Panel): readonly PanelFilter[] => filtersOf(panel, true);
/** Words and content type narrow the entries of the overview alone. */
const ofOverview = ['period', 'user'] as const;

/** The figures by the panel that shows them. */
export const figures = {
  overview: {
    result: { list: 'timeline', by: ofOverview, marks: ['known'] },
    visits: { list: 'timeline', by: ofOverview, marks: [] },
    level: { list: 'system', by: ofOverview, marks: ['level'] },
    lines: { list: 'system', by: ofOverview, marks: [] },
  },
  faces: {
    result: { list: 'timeline', by: ofPanel('faces'), marks: ['known'] },
    person: { list: 'timeline', by: ofPanel('faces'), marks: ['person'] },
    day: { list: 'timeline', by: ofPanel('faces'), marks: ['from', 'to'] },
  },
  heatmap: {
    hours: { list: 'timeline', by: ofPanel('heatmap'), marks: ['from', 'to', 'hour'] },
  },
  daily: {
    result: { list: 'timeline', by: ofPanel('daily'), marks: ['known'] },
    day: { list: 'timeline', by: ofPanel('daily'), marks: ['from', 'to'] },
  },
  people: { person: { list: 'timeline', by: ofPanel('people'), marks: ['person'] } },
  cameras: { camera: { list: 'timeline', by: ofPanel('cameras'), marks: ['camera'] } },
  system: { level: { list: 'system', by: ofPanel('system'), marks: ['level'] } },
} as const satisfies Partial<Record<Panel, Readonly<Record<string, Figure>>>>;
type Figures = typeof figures;

/** The parts of the address by which a list is filtered, beside its period and user. */
const parts = ['camera', 'person', 'known', 'search', 'level', 'source'] as const;

/**
 * To the list of what a figure counts: filters in the address that the list obeys and the figure does not are lifted, or
 * the list would hold fewer.
 */
export function leadTo<P extends keyof Figures>(
  panel: P,
  figure: keyof Figures[P],
  mark: Mark = {},
): Change {
  const { list, by } = figures[panel][figure] as Figure;
  const obeyed = filtersOf(list, true);
  const lifted = parts.filter((part) => obeyed.includes(part) && !by.includes(part));
  const isOfDays = mark.from !== undefined;
  return {
    ...Object.fromEntries(lifted.map((part) => [part, undefined])),
    hour: undefined,
    panel: list,
    ...mark,
    ...(isOfDays && { days: undefined }),
  };
}

/** To the entries of the log that a figure of the overview counts: all of the period, or those of one action. */
export function leadToEntries(
  { search, period: { from, to } }: Pick<Asked, 'search' | 'period'>,
  figure: 'entries' | 'action',
  mark: Pick<Mark, 'action'> = {},
): ActivitySearch {
  const { search: words, type, user } = search;
  // All entries are counted whatever words and type say.
  const narrowed = figure === 'action' ? { search: words, type, ...mark } : {};
  return changed({}, { ...narrowed, user, from, to });
}
