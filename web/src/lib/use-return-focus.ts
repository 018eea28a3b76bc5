/**
 * Gives the focus back to what opened an overlay. Radix does so only for its own trigger elements; ours
 * open from menus, links and the address.
 */
import { useCallback, useLayoutEffect, useRef } from 'react';

/** A chosen menu item goes with its menu: what opened the menu stands for it. */
function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]');
  const opener = menu
    ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
    : element;
  return opener instanceof HTMLElement ? opener : null;
}

/** The answer is the content's `onCloseAutoFocus`. */
export function useReturnFocus(open: boolean): (event: Event) => void {
  const opener = useRef<HTMLElement | null>(null);
  // Before the overlay's own effects move the focus into it.
  useLayoutEffect(() => {
    if (open) opener.current = openerOf(document.activeElement);
  }, [open]);
  return useCallback((event: Event) => {
    event.preventDefault();
    opener.current?.focus({ preventScroll: true });
  }, []);
}
