/** A list grows shorter while its last page is shown, or a link leads to a page that no longer exists. */
import { useEffect } from 'react';
import { isPageTooLate } from '#api/problem.ts';

export type GoToPage = (page: number, replace?: boolean) => void;

interface Asked {
  readonly data: { readonly count: number; readonly results: readonly unknown[] } | undefined;
  /** Whether the data are those of the page before. */
  readonly isPlaceholderData: boolean;
  /** Some lists refuse a page that is behind their last one. */
  readonly error: unknown;
}

/** The last page, where the page asked for is behind it (the first, where the list only refuses it); null: it is there. */
export function pageInstead(
  { data, isPlaceholderData, error }: Asked,
  page: number | undefined,
  size: number,
): number | null {
  if (isPageTooLate(error)) return 1;
  if (page === undefined || data === undefined || isPlaceholderData) return null;
  const last = Math.max(1, Math.ceil(data.count / size));
  return data.results.length === 0 && page > last ? last : null;
}

/** Takes the place of the page asked for: the way back leads past it. */
export function usePageInstead(page: number | null, onPage: GoToPage): void {
  useEffect(() => {
    if (page !== null) onPage(page, true);
  });
}
