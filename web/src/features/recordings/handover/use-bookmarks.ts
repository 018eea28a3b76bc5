import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { marksQuery } from './queries.ts';

/** As the timeline draws them. */
export interface Mark {
  readonly id: string;
  readonly atMs: number;
  readonly label: string;
}

const none: readonly Mark[] = [];
const hourMs = 60 * 60_000;

/**
 * The bookmarks of a camera in some time, for the timeline. What is asked for are whole hours, or as many as a quarter
 * of the period has: who scrolls a little asks nothing anew.
 */
export function useBookmarks(cameraId: string, fromMs: number, untilMs: number): readonly Mark[] {
  const stepMs = hourMs * Math.max(1, Math.ceil((untilMs - fromMs) / hourMs / 4));
  const period = {
    fromMs: Math.floor(fromMs / stepMs) * stepMs,
    untilMs: Math.ceil(untilMs / stepMs) * stepMs,
  };
  const { data, isPlaceholderData } = useQuery(marksQuery(cameraId, period));
  return useMemo(() => {
    const isOfCamera = !isPlaceholderData || data?.results[0]?.camera_id === cameraId;
    if (data === undefined || !isOfCamera) return none;
    return data.results.map(({ id, at, note }) => ({ id, atMs: Date.parse(at), label: note }));
  }, [data, isPlaceholderData, cameraId]);
}
