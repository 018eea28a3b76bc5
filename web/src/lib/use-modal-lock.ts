/**
 * Keeps the page behind an overlay from scrolling, without moving it. Radix's own overlay does this by
 * writing a style tag into the page, which the content security policy forbids; a style
 * attribute set by script is allowed.
 */
import { useEffect } from 'react';

let locks = 0;

export function useModalLock(locked: boolean): void {
  useEffect(() => {
    if (!locked) return undefined;
    const { documentElement: root, body } = document;
    locks += 1;
    if (locks === 1) {
      body.style.paddingRight = `${window.innerWidth - root.clientWidth}px`;
      root.style.overflow = 'hidden';
    }
    return () => {
      locks -= 1;
      if (locks > 0) return;
      root.style.overflow = '';
      body.style.paddingRight = '';
    };
  }, [locked]);
}
