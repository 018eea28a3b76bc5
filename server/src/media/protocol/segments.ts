/** What is told of the files of a recording: in them, by those who write them, and to the server. */
import type { GapCause, RecordingType } from '@nazar/contract/recordings.ts';

/** A time of motion in a segment, counted from the segment's start. */
export interface MotionSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What is known when the file is begun. Times in milliseconds since 1970. */
export interface SegmentHead {
  readonly id: string;
  readonly cameraId: string;
  readonly type: RecordingType;
  readonly startedAtMs: number;
  /** FFmpeg's name. */
  readonly codec: string;
  /** For a player: `video/mp4; codecs="avc1.64001f"`. */
  readonly mime: string;
  readonly width: number;
  readonly height: number;
  /** The same for segments that continue one another without a new initialisation segment. */
  readonly stream: string;
  /** Why nothing was recorded since then; null when nothing is missing, or nobody knows. */
  readonly gap: { readonly startedAtMs: number; readonly cause: GapCause } | null;
}

/** Where a player can begin: bytes from the beginning of the file, milliseconds from the segment's. */
export interface KeyFrame {
  readonly offset: number;
  readonly atMs: number;
}

/** What is in a file that is complete. */
export interface WrittenSegment {
  readonly headBytes: number;
  readonly bytes: number;
  readonly keyFrames: readonly KeyFrame[];
  readonly pictures: number;
  readonly durationMs: number;
  /** Hexadecimal. */
  readonly sha256: string;
}
