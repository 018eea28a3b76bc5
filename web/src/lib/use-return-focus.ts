/**
 * Where the focus goes when an overlay closes. Radix sends it to the overlay's own trigger only; ours are
 * opened by state, so they would leave it nowhere.
 */
import { useCallback, useLayoutEffect, useRef } from 'react';

/** Opening may already have taken the opener away, and the focus with it. */
let lastFocused: Element | null = null;
document.addEventListener('focusin', (event) => {
  lastFocused = event.target instanceof Element ? event.target : null;
});

/** A menu is gone by the time the overlay closes: its trigger stands for its items. */
function opener(focused: Element | null): Element | null {
  const trigger = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return trigger ? document.getElementById(trigger) : focused;
}

/**
 * Give it to `onCloseAutoFocus`. What opened the overlay may be gone (a deleted row): then the page's content, unless
 * the focus is somewhere already. A question that closes together with its dialog comes after it, and its opener, a
 * field of the dialog, is gone.
 */
export function useReturnFocus(open: boolean): (event: Event) => void {
  const origin = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (open) origin.current = opener(lastFocused);
  }, [open]);
  return useCallback((event) => {
    event.preventDefault();
    const { activeElement } = document;
    const isNowhere = activeElement === null || activeElement === document.body;
    const instead = isNowhere ? document.querySelector('main') : null;
    const target = origin.current?.isConnected ? origin.current : instead;
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }, []);
}
