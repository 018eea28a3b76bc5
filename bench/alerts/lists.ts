/** Every order and filter of the page of alerts, and what each takes at the server. */
import { alertKinds, alertLevels, alertOrders, alertStatuses } from '@nazar/contract/alerts.ts';
import type { SignedIn } from '../../server/src/testing/server.ts';
import { spreadOf, type Spread } from '../rig/numbers.ts';

export interface ListFigure {
  readonly reader: string;
  readonly filter: string;
  readonly ordering: string;
  readonly found: string;
  readonly ms: Spread;
}

const warmUps = 2;

export interface ListsAsked {
  readonly readers: Readonly<Record<string, SignedIn>>;
  readonly cameraIds: readonly string[];
  /** Days, `YYYY-MM-DD`. */
  readonly week: readonly [first: string, last: string];
  readonly calls: number;
}

export function filtersOf({ cameraIds, week }: Pick<ListsAsked, 'cameraIds' | 'week'>): string[] {
  const [first, last] = week;
  return [
    '',
    ...alertStatuses.map((status) => `status=${status}`),
    ...alertLevels.map((level) => `level=${level}`),
    ...alertKinds.map((kind) => `kind=${kind}`),
    `camera__in=${cameraIds[0]!}`,
    `camera__in=${cameraIds.at(-1)!}`,
    'open=true',
    'open=false',
    'mine=true',
    'mine=false',
    `start_date=${first}&end_date=${last}`,
    `status=resolved&level=error&start_date=${first}&end_date=${last}`,
    'page=40',
  ];
}

export async function measureLists(asked: ListsAsked): Promise<ListFigure[]> {
  const figures: ListFigure[] = [];
  for (const [reader, who] of Object.entries(asked.readers)) {
    for (const filter of filtersOf(asked)) {
      for (const ordering of alertOrders) {
        const path = `/secure-api/alerts/?ordering=${ordering}&${filter}`;
        figures.push({ reader, filter, ordering, ...(await measure(who, path, asked.calls)) });
      }
    }
  }
  return figures;
}

async function measure(
  who: SignedIn,
  path: string,
  calls: number,
): Promise<Pick<ListFigure, 'found' | 'ms'>> {
  const times: number[] = [];
  let found = '-';
  for (let call = 0; call < calls + warmUps; call += 1) {
    const startedAtMs = performance.now();
    const { status, text } = await who.get(path);
    if (call >= warmUps) times.push(performance.now() - startedAtMs);
    if (status === 400) continue;
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    const { count, more } = JSON.parse(text) as { count: number; more?: boolean };
    found = `${count}${more ? '+' : ''}`;
  }
  return { found, ms: spreadOf(times) };
}
