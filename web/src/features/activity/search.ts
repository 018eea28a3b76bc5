/** What the address of the activity log says: its tab, filters, order, page, how it is shown, and what is open. */
import { activityKinds, type ActivityKind } from '@nazar/contract/activity.ts';
import type { SavedSearch, SavedSearchForm } from '@nazar/contract/saved-searches.ts';
import { idOf } from '#lib/is-id.ts';
import { changed, day, known, laterPage, type SearchChange } from '#lib/search-values.ts';
import { panelSearch, type PanelSearch } from './panels/panels.ts';

export const sortColumns = ['timestamp', 'user', 'action', 'ip'] as const;
export type SortColumn = (typeof sortColumns)[number];
export type Direction = 'asc' | 'desc';

/** Filters whose value an entry has: a click on the value sets them, or leaves the value out (`not...`). */
export interface ActivitySearch extends PanelSearch {
  search?: string;
  action?: ActivityKind;
  from?: string;
  to?: string;
  type?: string;
  object?: string;
  ip?: string;
  user?: string;
  notAction?: ActivityKind;
  notType?: string;
  notIp?: string;
  notUser?: string;
  sort?: SortColumn;
  order?: Direction;
  page?: number;
  view?: 'cards';
  /** Its details are open. */
  entry?: string;
  /** What else is open. */
  dialog?: 'verification';
}

export type Change = SearchChange<ActivitySearch>;

/** Digits come as numbers. */
function words(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

export function activitySearch(given: Record<string, unknown>): ActivitySearch {
  const sort = known(sortColumns, given['sort']);
  const order = known<Direction>(['asc', 'desc'], given['order']);
  return changed<ActivitySearch>(
    {},
    {
      search: words(given['search']),
      action: known(activityKinds, given['action']),
      from: day(given['from']),
      to: day(given['to']),
      type: words(given['type']),
      object: words(given['object']),
      ip: words(given['ip']),
      user: idOf(given['user']),
      notAction: known(activityKinds, given['notAction']),
      notType: words(given['notType']),
      notIp: words(given['notIp']),
      notUser: idOf(given['notUser']),
      sort: sort === 'timestamp' ? undefined : sort,
      order: order === usualOrder(sort) ? undefined : order,
      page: laterPage(given['page']),
      view: known(['cards'], given['view']),
      entry: idOf(given['entry']),
      dialog: known(['verification'], given['dialog']),
      ...panelSearch(given),
    },
  );
}

/** Times begin with the newest, words with A. */
export const usualOrder = (sort: SortColumn = 'timestamp'): Direction =>
  sort === 'timestamp' ? 'desc' : 'asc';

export const filterNames = [
  'search',
  'action',
  'from',
  'to',
  'type',
  'object',
  'ip',
  'user',
  'notAction',
  'notType',
  'notIp',
  'notUser',
] as const;
export type FilterName = (typeof filterNames)[number];

export const isFiltered = (search: ActivitySearch): boolean =>
  filterNames.some((name) => search[name] !== undefined);

/** What a saved search keeps. */
export const isWorthSaving = (search: ActivitySearch): boolean =>
  (['search', 'action', 'from', 'to', 'type', 'object', 'ip'] as const).some(
    (name) => search[name] !== undefined,
  );

/** Without any filter. */
export const cleared = ({ view, sort, order }: ActivitySearch): ActivitySearch =>
  changed<ActivitySearch>({}, { view, sort, order });

export function formOf(name: string, search: ActivitySearch): SavedSearchForm {
  return {
    name,
    term: search.search ?? '',
    action: search.action ?? null,
    dateFrom: search.from ?? null,
    dateTo: search.to ?? null,
    contentType: search.type ?? '',
    objectId: search.object ?? '',
    ipAddress: search.ip ?? '',
  };
}

export function searchOf(saved: SavedSearch, now: ActivitySearch): ActivitySearch {
  return activitySearch({
    ...cleared(now),
    search: saved.term,
    action: saved.action ?? undefined,
    from: saved.dateFrom ?? undefined,
    to: saved.dateTo ?? undefined,
    type: saved.contentType,
    object: saved.objectId,
    ip: saved.ipAddress,
  });
}
