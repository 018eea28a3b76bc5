/**
 * As a `ref` of what scrolls: as long as nothing in it can have the focus it takes it itself, so that keys reach its
 * end. Chromium does so by itself, other browsers do not.
 */
const focusable =
  ':is(a[href], button, input, select, textarea, summary, [tabindex]):not(:disabled, [tabindex="-1"])';

export function scrollByKeys(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const sizes = new ResizeObserver(() => {
    const isCut = element.scrollHeight > element.clientHeight;
    if (isCut && element.querySelector(focusable) === null) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  sizes.observe(element);
  for (const child of element.children) sizes.observe(child);
  return () => sizes.disconnect();
}
