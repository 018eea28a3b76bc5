import { useState } from 'react';
import type { ActivitySearch } from './search.ts';

/** The entries that are ticked; another page or filter begins anew. */
export function useChosen({ entry: _open, view: _view, ...list }: ActivitySearch) {
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
