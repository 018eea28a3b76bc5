import { useEffect } from 'react';
import { PAGE_SIZE } from './queries.ts';

interface PageOf {
  readonly count: number;
  readonly results: readonly unknown[];
}

/** When the last row of the last page went, the page before it is shown. */
export function useExistingPage(
  page: number,
  setPage: (page: number) => void,
  data: PageOf | undefined,
): void {
  useEffect(() => {
    if (data === undefined || data.results.length > 0 || page === 1) return;
    setPage(Math.max(1, Math.ceil(data.count / PAGE_SIZE)));
  }, [data, page, setPage]);
}
