/** Which of a chart's rows is read: by arrow keys, Home and End, or by the pointer. */
import { useState, type KeyboardEvent } from 'react';

export interface Reading {
  /** Null: none is. */
  readonly index: number | null;
  readonly read: (index: number | null) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export function useReading(count: number, onOpen: (index: number) => void): Reading {
  const [at, read] = useState<number | null>(null);
  const index = at === null || count === 0 ? null : Math.min(at, count - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && index !== null) onOpen(index);
    const next = nextIndex(event.key, index, count);
    if (next === null) return;
    event.preventDefault();
    read(next);
  };
  return { index, read, onKeyDown };
}

function nextIndex(key: string, index: number | null, count: number): number | null {
  const last = count - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, (index ?? -1) + 1);
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, (index ?? last + 1) - 1);
  return null;
}
