/** What the address of the alerts says: its tab, filters, order, page, and which alert is open. */
import type { AlertLevel, AlertQuery, AlertStatus } from '@nazar/contract/alerts.ts';
import { idOf } from '#lib/is-id.ts';
import { changed, day, known, laterPage, type SearchChange } from '#lib/search-values.ts';

// The contract has them, too: its schemas would weigh on every page, as the router reads addresses.
export const statuses = [
  'new',
  'in_progress',
  'resolved',
  'dismissed',
] as const satisfies readonly AlertStatus[];
export const levels = [
  'info',
  'warning',
  'error',
  'critical',
] as const satisfies readonly AlertLevel[];
/** The first is the usual one, which is not written. */
export const orders = [
  '-created_at',
  'created_at',
  '-last_at',
  '-level',
] as const satisfies readonly AlertQuery['ordering'][];
export type AlertOrder = (typeof orders)[number];

export interface AlertsSearch {
  tab?: 'rules';
  status?: AlertStatus;
  level?: AlertLevel;
  camera?: string;
  /** Only those that are new or in progress. */
  open?: true;
  /** Only those that are assigned to the reader. */
  mine?: true;
  /** Days by the reader's clock. */
  from?: string;
  to?: string;
  order?: AlertOrder;
  page?: number;
  /** Its details are open. */
  alert?: string;
}

export type Change = SearchChange<AlertsSearch>;

/** From the query string as the router reads it: digits are numbers, `true` is a flag. */
export function alertsSearch(given: Record<string, unknown>): AlertsSearch {
  return changed<AlertsSearch>(
    {},
    {
      tab: known(['rules'], given['tab']),
      status: known(statuses, given['status']),
      level: known(levels, given['level']),
      camera: idOf(given['camera']),
      open: known([true], given['open']),
      mine: known([true], given['mine']),
      from: day(given['from']),
      to: day(given['to']),
      order: known(orders.slice(1), given['order']),
      page: laterPage(given['page']),
      alert: idOf(given['alert']),
    },
  );
}

export const filterNames = ['status', 'level', 'camera', 'open', 'mine', 'from', 'to'] as const;
export type FilterName = (typeof filterNames)[number];

export const isFiltered = (search: AlertsSearch): boolean =>
  filterNames.some((name) => search[name] !== undefined);

/** Without any filter. */
export const cleared = ({ order }: AlertsSearch): AlertsSearch =>
  changed<AlertsSearch>({}, { order });
