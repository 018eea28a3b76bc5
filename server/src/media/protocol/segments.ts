/** What describes the files of a recording: in the files, in the writer, and in its messages to the server. */
import type { RecordingType } from '@nazar/contract/recording-states.ts';
import type { GapCause } from '@nazar/contract/recordings.ts';
import type { MotionGrid } from './motion-grid.ts';

/** A time span with motion, counted from the start of its segment. */
export interface MotionSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A small upright JPEG of the segment: the last bytes of its file. */
export interface StillMark {
  /** Milliseconds from the start of the segment. */
  readonly atMs: number;
  readonly bytes: number;
  /** The stream that it shows (`stream-pair.ts`): not always the one that is recorded. Null in older files. */
  readonly shows: string | null;
}

/** A still before it is written. */
export interface Still {
  /** Milliseconds from the start of the segment. */
  readonly atMs: number;
  readonly jpeg: Buffer;
  readonly shows: string;
}

/** What the recorder learnt about a segment while it wrote it; stands at the end of the file. */
export interface SegmentTail {
  /** Null: its frames were not compared. */
  readonly motion: readonly MotionSpan[] | null;
  /** Where; null together with `motion`. */
  readonly grid: MotionGrid | null;
  /** Null: none could be made. */
  readonly still: Still | null;
}

/** What is known when the file is opened. Times are in milliseconds since 1970. */
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
  /** The same value for segments that continue one another without a new initialisation segment. */
  readonly stream: string;
  /** Which of the camera's pictures it shows (`stream-pair.ts`); absent in files of before. */
  readonly shows?: string;
  /** Since when nothing was recorded, and why; null when nothing is missing, or the cause is not known. */
  readonly gap: { readonly startedAtMs: number; readonly cause: GapCause } | null;
}

/** Where a player can begin: bytes from the beginning of the file, milliseconds from the start of the segment. */
export interface KeyFrame {
  readonly offset: number;
  readonly atMs: number;
}

/** What a complete file holds. */
export interface WrittenSegment {
  readonly headBytes: number;
  readonly bytes: number;
  readonly keyFrames: readonly KeyFrame[];
  readonly pictures: number;
  readonly durationMs: number;
  /** Hexadecimal. */
  readonly sha256: string;
}
