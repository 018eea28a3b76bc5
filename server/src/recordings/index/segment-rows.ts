/** Turns the hosts' reports about a segment, and a file's own header, into rows of the index. */
import { allOf, bitsOf, decodeGrid } from '#media/protocol/motion-grid.ts';
import type { ClosedSegment } from '#media/protocol/messages.ts';
import type { SegmentHead } from '#media/protocol/segments.ts';
import type { CompletedColumns, Completion, MotionOf, SegmentRow } from './index-store.ts';
import type { Place } from '../roots.ts';

export function completionOf(segment: Omit<ClosedSegment, 'id'>): Completion {
  return { columns: columnsOf(segment), moved: motionOf(segment.grid) };
}

function columnsOf(segment: Omit<ClosedSegment, 'id'>): CompletedColumns {
  return {
    ended_at: new Date(segment.endedAtMs),
    bytes: segment.bytes,
    head_bytes: segment.headBytes,
    pictures: segment.pictures,
    key_offsets: segment.keyFrames.map(({ offset }) => offset),
    key_times: segment.keyFrames.map(({ atMs }) => atMs),
    sha256: Buffer.from(segment.sha256, 'hex'),
    motion_from: segment.motion?.map(({ fromMs }) => fromMs) ?? null,
    motion_until: segment.motion?.map(({ untilMs }) => untilMs) ?? null,
    still_bytes: segment.still?.bytes ?? null,
    still_ms: segment.still?.atMs ?? null,
    still_shows: segment.still?.shows ?? null,
  };
}

function motionOf(given: string | null): MotionOf | null {
  const bytes = given === null ? null : Buffer.from(given, 'base64');
  const grid = bytes && decodeGrid(bytes);
  if (!bytes || !grid) return null;
  const { rotation, isOfMain: of_main } = grid;
  return { rotation, cells: bitsOf(allOf(grid)), of_main, grid: bytes };
}

/** A row without an end. */
export function rowOf(
  { id, cameraId, startedAtMs, codec, mime, width, height, stream, shows }: SegmentHead,
  { rootId, path }: Place,
  recordingId: string,
): SegmentRow {
  return {
    id,
    camera_id: cameraId,
    recording_id: recordingId,
    root_id: rootId,
    path,
    started_at: new Date(startedAtMs),
    ended_at: null,
    bytes: null,
    head_bytes: null,
    pictures: null,
    key_offsets: null,
    key_times: null,
    sha256: null,
    motion_from: null,
    motion_until: null,
    still_bytes: null,
    still_ms: null,
    shows: shows ?? null,
    still_shows: null,
    codec,
    mime,
    width,
    height,
    stream_id: stream,
  };
}
