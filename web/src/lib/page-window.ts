/**
 * The page numbers to offer: a window of five round the current page, the first and the last
 * page, and `gap` where numbers are left out.
 */
export function pageWindow(page: number, pages: number): (number | 'gap')[] {
  const start = Math.max(1, Math.min(page - 2, pages - 4));
  const end = Math.min(pages, start + 4);
  const window: (number | 'gap')[] = [];
  for (let number = start; number <= end; number += 1) window.push(number);
  // A gap that hides one single number is that number.
  if (start > 1) window.unshift(1, ...(start === 3 ? [2] : start > 3 ? (['gap'] as const) : []));
  const missing = pages - end - 1;
  if (end < pages) {
    window.push(...(missing === 1 ? [pages - 1] : missing > 1 ? (['gap'] as const) : []), pages);
  }
  return window;
}
