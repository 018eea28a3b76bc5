/** When cameras are recorded, where to, how long it is kept, and what is never removed. */

import { z } from 'zod/mini';
import { streamNames } from './cameras.ts';
import { Id, Timestamp, atMostAYear, queryInteger, requiredText, Instant } from './fields.ts';
import { recordingQualities } from './recording-qualities.ts';
import { WeekSchedule } from './week-schedule.ts';

const Recorded = z.nullable(
  z.object({ stream: z.enum(streamNames), width: z.int(), height: z.int(), sound: z.boolean() }),
);

/**
 * Where several reasons to record apply, the first counts: by hand, continuously,
 * by the table, because something moves.
 */
export const RecordingSettings = z.object({
  /** Below `/recordings/`, which stands for the folder an administrator named. */
  storagePath: z.string(),
  continuousRecording: z.boolean(),
  /** From 5 s before something moves to 10 s after. */
  motionDetection: z.boolean(),
  /** Null: by no table. */
  schedule: z.nullable(WeekSchedule),
  retentionDays: z.int(),
  quality: z.enum(recordingQualities),
  /** The stream that is nearest to that now, and its size; null while the camera sends nothing. */
  recorded: Recorded,
  /** What each quality would record now: a camera may have no picture of that height. */
  qualities: z.object({ low: Recorded, medium: Recorded, high: Recorded, ultra: Recorded }),
});
export type RecordingSettings = z.infer<typeof RecordingSettings>;

export const RecordingSettingsPatch = z.object({
  storagePath: z.optional(requiredText(220)),
  continuousRecording: z.optional(z.boolean()),
  motionDetection: z.optional(z.boolean()),
  schedule: z.optional(z.nullable(WeekSchedule)),
  retentionDays: z.optional(z.int().check(z.gte(1), z.lte(365))),
  quality: z.optional(z.enum(recordingQualities)),
});
export type RecordingSettingsPatch = z.infer<typeof RecordingSettingsPatch>;

/** What a policy would come to, before it is saved. */
export const RecordingForecast = z.object({
  wanted_days: z.int(),
  /** How many of them its disk holds; null while it is not known how much the camera sends. */
  kept_days: z.nullable(z.number()),
  bytes_per_day: z.nullable(z.int()),
  /** What its disk holds of recordings in all; null while it is not there. */
  capacity_bytes: z.nullable(z.int()),
  /** What would be recorded; null while the camera sends nothing. */
  recorded: Recorded,
});
export type RecordingForecast = z.infer<typeof RecordingForecast>;

export const Hold = z.object({
  id: Id,
  camera_id: Id,
  camera_name: z.string(),
  from: Timestamp,
  until: Timestamp,
  reason: z.string(),
  /** Null: the account is gone. */
  created_by: z.nullable(z.object({ id: Id, name: z.string() })),
  created_at: Timestamp,
});
export type Hold = z.infer<typeof Hold>;

export const HoldFields = z
  .object({ camera: Id, from: Instant, until: Instant, reason: requiredText(500) })
  .check(z.refine(({ from, until }) => from < until, { path: ['until'] }));
export type HoldFields = z.infer<typeof HoldFields>;

export const HoldQuery = z
  .object({
    camera: z.optional(Id),
    /** Holds that cover a moment of this time. */
    from: z.optional(Instant),
    until: z.optional(Instant),
    page: queryInteger(1, 1_000_000, 1),
    page_size: queryInteger(1, 1000, 50),
  })
  .check(atMostAYear('from', 'until'));
export type HoldQuery = z.infer<typeof HoldQuery>;
