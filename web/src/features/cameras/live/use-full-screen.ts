import { useState, type RefObject } from 'react';
import { useNativeFullScreen } from '#lib/use-native-full-screen.ts';

export interface FullScreenSwitch {
  readonly isFull: boolean;
  readonly failed: boolean;
  readonly toggle: () => void;
  readonly forget: () => void;
}

export function useFullScreen(element: RefObject<HTMLElement | null>): FullScreenSwitch {
  const { isFull, toggle } = useNativeFullScreen(element);
  const [failed, setFailed] = useState(false);
  const tryToggle = (): void => {
    setFailed(false);
    toggle().catch(() => setFailed(true));
  };
  return { isFull, failed, toggle: tryToggle, forget: () => setFailed(false) };
}
