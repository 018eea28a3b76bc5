/** Whether at least half of an element is on the screen of a tab that somebody looks at. */
import { useEffect, useState, type RefObject } from 'react';

const SHARE = 0.5;

function useOnScreen(element: RefObject<Element | null>): boolean {
  const [onScreen, setOnScreen] = useState(false);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setOnScreen((entries.at(-1)?.intersectionRatio ?? 0) >= SHARE),
      { threshold: [0, SHARE] },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
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
