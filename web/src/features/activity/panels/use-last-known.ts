import { useState } from 'react';

interface Answered<T> {
  readonly data: T | undefined;
  readonly dataUpdatedAt: number;
  readonly isPlaceholderData: boolean;
}

/** The last answer of a question whose filters change, and its time: a list one chooses from outlives a failure. */
export function useLastKnown<T>({ data, dataUpdatedAt, isPlaceholderData }: Answered<T>): {
  data: T | undefined;
  at: number;
} {
  const [last, setLast] = useState({ data, at: dataUpdatedAt });
  if (data === undefined || isPlaceholderData) return last;
  if (data !== last.data) setLast({ data, at: dataUpdatedAt });
  return { data, at: dataUpdatedAt };
}
