/**
 * Whether this page was loaded again, rather than opened by an address or a link: then it goes on where it was. What no
 * browser says counts as such.
 */
const [navigation] = performance.getEntriesByType?.('navigation') ?? [];

export const isReloaded =
  (navigation as PerformanceNavigationTiming | undefined)?.type !== 'navigate';
