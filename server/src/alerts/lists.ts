/** Alerts as users list and open them: each reader reads of their visits what the lists of visits would show. */
import { kindsOfEnrolled } from '@nazar/contract/alert-rules.ts';
import {
  maxAlertVisits,
  type Alert,
  type AlertCounts,
  type AlertDetails,
  type AlertPage,
  type AlertQuery,
} from '@nazar/contract/alerts.ts';
import type { Language } from '@nazar/contract/accounts.ts';
import { hiddenName } from '@nazar/contract/names.ts';
import type { Detection } from '@nazar/contract/visits.ts';
import type { Scope } from '#http/scope.ts';
import { askedEnds } from '#lib/local-days.ts';
import { Problem } from '#lib/problem.ts';
import type { Visits } from '#visits/visits.ts';
import { asAlert, asVisit, historyOf } from './answers.ts';
import type { AlertStore, ListedAlert } from './store.ts';

export interface AlertListsOptions {
  readonly store: AlertStore;
  readonly visits: { readonly news: Pick<Visits['news'], 'read'> };
}

/** How an answer is to be worded, and in which days its period is. */
export interface Reading {
  readonly language: Language;
  readonly timeZone: string;
}

export class AlertLists {
  readonly #options: AlertListsOptions;

  constructor(options: AlertListsOptions) {
    this.#options = options;
  }

  /** Throws time_zone_unknown, page_too_late. */
  async list(
    scope: Scope,
    { start_date, end_date, ...rest }: AlertQuery,
    { language, timeZone }: Reading,
  ): Promise<AlertPage> {
    const { count, more, rows } = await this.#options.store.list(scope, {
      ...rest,
      ...askedEnds({ start_date, end_date }, timeZone),
    });
    if (rows.length === 0 && rest.page > 1) throw new Problem('page_too_late', { field: 'page' });
    const results = await this.#answered(scope, rows, language);
    return { count, results, ...(more ? { more } : {}) };
  }

  async counts(scope: Scope): Promise<AlertCounts> {
    const counts = {
      new: 0,
      in_progress: 0,
      by_level: { info: 0, warning: 0, error: 0, critical: 0 },
    };
    for (const { status, level, count } of await this.#options.store.openCounts(scope)) {
      if (status === 'new' || status === 'in_progress') counts[status] += count;
      counts.by_level[level] += count;
    }
    return counts;
  }

  /** Those of these that the reader may see, in any order. */
  async several(scope: Scope, ids: readonly string[], language: Language): Promise<Alert[]> {
    if (ids.length === 0) return [];
    return this.#answered(scope, await this.#options.store.findEach(scope, ids), language);
  }

  /** Throws alert_not_found. */
  async one(scope: Scope, id: string, language: Language): Promise<Alert> {
    const row = await this.#mustFind(scope, id);
    return (await this.#answered(scope, [row], language))[0]!;
  }

  /** Throws alert_not_found. */
  async details(scope: Scope, id: string, language: Language): Promise<AlertDetails> {
    const { store } = this.#options;
    const row = await this.#mustFind(scope, id);
    const seen = await this.#seen(scope, [row, ...(await this.#othersOf(row))]);
    const newest = seen.find((visit) => visit.id === row.visit_id) ?? null;
    const assignments = await store.assignments(id);
    return {
      ...asAlert(row, newest, language),
      visits: readable(row, seen).map(asVisit),
      history: historyOf(row, assignments),
    };
  }

  async #othersOf(row: ListedAlert) {
    const visits = await this.#options.store.latestVisits(row.id, maxAlertVisits);
    return visits
      .filter(({ visit_id }) => visit_id !== row.visit_id)
      .map((visit) => ({
        camera_id: row.camera_id,
        visit_id: visit.visit_id,
        visit_started_at: visit.started_at,
      }));
  }

  async #mustFind(scope: Scope, id: string): Promise<ListedAlert> {
    const row = await this.#options.store.find(scope, id);
    if (!row) throw new Problem('alert_not_found');
    return row;
  }

  async #answered(
    scope: Scope,
    rows: readonly ListedAlert[],
    language: Language,
  ): Promise<Alert[]> {
    const seen = new Map((await this.#seen(scope, rows)).map((visit) => [visit.id, visit]));
    return rows.map((row) => asAlert(row, seen.get(row.visit_id ?? '') ?? null, language));
  }

  /** The visits as this reader's lists have them, the newest first. */
  async #seen(
    scope: Scope,
    rows: readonly Pick<ListedAlert, 'camera_id' | 'visit_id' | 'visit_started_at'>[],
  ): Promise<Detection[]> {
    const asked = rows.flatMap(({ camera_id, visit_id, visit_started_at }) =>
      camera_id !== null && visit_id !== null && visit_started_at !== null
        ? { visitId: visit_id, cameraId: camera_id, startedAtMs: visit_started_at.getTime() }
        : [],
    );
    const seenBy = await this.#options.visits.news.read(asked);
    return seenBy(scope).seen;
  }
}

/**
 * Which visits belong to one enrolled person is hidden from a reader who may not read the name: they get the newest.
 */
function readable({ kind }: ListedAlert, visits: readonly Detection[]): readonly Detection[] {
  const isHidden =
    kindsOfEnrolled.includes(kind) && visits.some((one) => one.face_name === hiddenName);
  return isHidden ? visits.slice(0, 1) : visits;
}
