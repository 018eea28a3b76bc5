/** Why a camera is recorded, and what becomes of that. */

/** Why something is recorded. */
export const recordingTypes = ['continuous', 'manual', 'scheduled', 'motion', 'test'] as const;
export type RecordingType = (typeof recordingTypes)[number];

/** What settings can record a camera for; a button or a test records beside them. */
export const recordingModes = ['continuous', 'scheduled', 'motion'] as const;
export type RecordingMode = (typeof recordingModes)[number];

/** REC-035. */
export const usualRetentionDays = 30;

/**
 * What becomes of a camera's recording right now. `waiting`: it begins when something moves; `interrupted`: the camera
 * sends nothing that can be recorded (its health says why); `disk_full`: what is left of its disk is kept for others;
 * `disk_hung`: the disk does not answer; what comes waits for it in memory.
 * `disk_failing`: the disk does not take what the camera sends.
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
] as const;
export type RecordingState = (typeof recordingStates)[number];
