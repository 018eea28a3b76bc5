import { useSyncExternalStore } from 'react';

/** Tailwind's `lg`: from here on a table of many columns fits beside the sidebar. */
const wideEnough = (): MediaQueryList => matchMedia('(min-width: 64rem)');

/** For things that shall not merely be hidden: a hidden player would still be one. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      const query = wideEnough();
      query.addEventListener('change', watcher);
      return () => query.removeEventListener('change', watcher);
    },
    () => wideEnough().matches,
  );
}
