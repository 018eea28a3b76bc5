/** Why a camera is recorded, and what becomes of that. */

/** Why something is recorded. */
export const recordingTypes = ['continuous', 'manual', 'scheduled', 'motion', 'test'] as const;
export type RecordingType = (typeof recordingTypes)[number];

/** What settings can record a camera for; a button or a test records beside them. */
export const recordingModes = ['continuous', 'scheduled', 'motion'] as const;
export type RecordingMode = (typeof recordingModes)[number];

/** How long recordings are kept where nothing else is set (REC-035). */
export const usualRetentionDays = 30;

/**
 * What becomes of a camera's recording right now. `waiting`: it begins when something moves; `interrupted`: the camera
 * sends nothing that can be recorded (its health says why); `disk_full`: what is left of its disk is kept for others;
 * `disk_hung`: the disk does not answer; what comes waits for it in memory.
 * `disk_failing`: the disk does not take what the camera sends. `outside_schedule`: it is recorded at other times.
 */
export const recordingStates = [
  'off',
  'recording',
  'waiting',
  'interrupted',
  'disk_full',
  'disk_away',
  'disk_hung',
  'disk_failing',
  'outside_schedule',
] as const;
export type RecordingState = (typeof recordingStates)[number];

/**
 * Why nothing is recorded. `switched_off` and `no_motion` (it is recorded when something moves, and nothing did)
 * are what a user chose; `clock`: the machine's clock was set forward; `lost`: it was recorded, and its file is
 * gone; `deleted`: it was recorded, and a user deleted it.
 */
export const gapCauses = [
  'camera',
  'network',
  'password',
  'disk',
  'restart',
  'clock',
  'lost',
  'switched_off',
  'no_motion',
  'deleted',
] as const;
export type GapCause = (typeof gapCauses)[number];
