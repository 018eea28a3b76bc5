import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds, as it changes. For what CSS cannot decide: which of two lists is built. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (watcher: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', watcher);
      return () => list.removeEventListener('change', watcher);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
