import { useState } from 'react';
import type { AlertsSearch } from './search.ts';

/** The alerts that are ticked; another page or filter begins anew. */
export function useChosen({ alert: _open, ...list }: AlertsSearch) {
  const key = JSON.stringify(list);
  const [state, setState] = useState<{ key: string; ids: ReadonlySet<string> }>({
    key,
    ids: new Set(),
  });
  const chosen = state.key === key ? state.ids : new Set<string>();
  const choose = (ids: readonly string[], isChosen: boolean): void => {
    const next = new Set(chosen);
    for (const id of ids) {
      if (isChosen) next.add(id);
      else next.delete(id);
    }
    setState({ key, ids: next });
  };
  return { chosen, choose, clear: () => setState({ key, ids: new Set() }) };
}
