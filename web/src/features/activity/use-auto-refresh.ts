import { useState } from 'react';

/** The choices of the refresh menu, in seconds (CON-024). */
export const refreshIntervals = [10, 30, 60, 300] as const;
export type RefreshSeconds = (typeof refreshIntervals)[number];

export interface AutoRefresh {
  readonly isOn: boolean;
  readonly seconds: RefreshSeconds;
  readonly setOn: (isOn: boolean) => void;
  readonly setSeconds: (seconds: RefreshSeconds) => void;
}

/** On, each 30 s, until the reader says otherwise; a hidden tab does not ask. */
export function useAutoRefresh(): AutoRefresh {
  const [isOn, setOn] = useState(true);
  const [seconds, setSeconds] = useState<RefreshSeconds>(30);
  return { isOn, seconds, setOn, setSeconds };
}
