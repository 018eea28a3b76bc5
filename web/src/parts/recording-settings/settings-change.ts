/** What a form changes of recording settings, and what another user changed meanwhile. Pure. */
import type { RecordingSettings, RecordingSettingsPatch } from '@nazar/contract/recording-plans.ts';

export const settingNames = [
  'continuousRecording',
  'motionDetection',
  'schedule',
  'quality',
  'retentionDays',
  'storagePath',
] as const;
export type SettingName = (typeof settingNames)[number];

/** Settings without what the camera really sends. */
export type Plan = Omit<RecordingSettings, 'recorded'>;

export function planOf(settings: RecordingSettings): Plan {
  const { recorded: _, ...plan } = settings;
  return plan;
}

const isSame = (one: Plan, other: Plan, name: SettingName): boolean =>
  JSON.stringify(one[name]) === JSON.stringify(other[name]);

/** The names of the settings in which two plans differ. */
export const differences = (one: Plan, other: Plan): SettingName[] =>
  settingNames.filter((name) => !isSame(one, other, name));

/** Only what was changed is sent: what another person set beside it stays. */
export const changeOf = (before: Plan, after: Plan): RecordingSettingsPatch =>
  Object.fromEntries(differences(before, after).map((name) => [name, after[name]]));
