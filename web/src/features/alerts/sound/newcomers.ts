/** Which alerts of an answer came since the answers before. Pure. */
import type { Alert } from '@nazar/contract/alerts.ts';

export interface Known {
  /** The newest time at which a known alert was raised; '' before any answer. */
  readonly until: string;
  readonly ids: ReadonlySet<string>;
}

type Raised = Pick<Alert, 'id' | 'created_at' | 'level'>;

/**
 * The first answer makes everything known. An alert that comes back into the list, because it was pushed off it or is
 * shown again, is no newcomer: it was raised before.
 */
export function newcomers<R extends Raised>(
  known: Known | null,
  answered: readonly R[],
): { readonly known: Known; readonly came: readonly R[] } {
  const until = answered.reduce(
    (latest, { created_at }) => (created_at > latest ? created_at : latest),
    known?.until ?? '',
  );
  const next = { until, ids: new Set(answered.map(({ id }) => id)) };
  if (known === null) return { known: next, came: [] };
  const came = answered.filter(
    ({ id, created_at }) => created_at >= known.until && !known.ids.has(id),
  );
  return { known: next, came };
}
