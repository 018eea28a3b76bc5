/**
 * Whether at least half of an element is on the screen of a visible tab. Nothing comes into view while
 * the page is scrolled, because a reader who scrolls past isn't watching yet; what leaves the screen leaves at once.
 */
import { useEffect, useState, type RefObject } from 'react';
import { afterScroll } from './after-scroll.ts';

const SHARE = 0.5;

function useOnScreen(element: RefObject<Element | null>): boolean {
  const [onScreen, setOnScreen] = useState(false);
  useEffect(() => {
    if (element.current === null) return undefined;
    let takeBack = (): void => undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        takeBack();
        if ((entries.at(-1)?.intersectionRatio ?? 0) < SHARE) setOnScreen(false);
        else takeBack = afterScroll(() => setOnScreen(true));
      },
      { threshold: [0, SHARE] },
    );
    observer.observe(element.current);
    return () => {
      takeBack();
      observer.disconnect();
    };
  }, [element]);
  return onScreen;
}

function useTabVisible(): boolean {
  const [visible, setVisible] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    const look = (): void => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return visible;
}

export function useInView(element: RefObject<Element | null>): boolean {
  const onScreen = useOnScreen(element);
  const visible = useTabVisible();
  return onScreen && visible;
}
