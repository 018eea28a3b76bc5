/**
 * Whether and how long Frigate records a camera. Frigate keeps everything for some days, motion for more, and
 * alerts for longest; Nazar keeps all recordings of a camera equally long. The days for everything
 * count, else those for motion, else those for alerts; settings that would keep more are listed.
 */
import { usualRetentionDays } from '@nazar/contract/recording-states.ts';
import { isOn, type CameraSettings, type Found, type Remark } from './settings.ts';

export interface TakenRecording {
  readonly continuous: boolean;
  readonly retentionDays: number;
}

/** How a new camera is recorded if the file does not say. */
export const usualRecording: TakenRecording = {
  continuous: false,
  retentionDays: usualRetentionDays,
};

/** How long Frigate keeps alerts and detections if the file does not say. */
const usualEventDays = 10;
const maxDays = 365;

interface Kept extends Partial<Found> {
  readonly days: number;
}

export function takeRecording(
  settings: CameraSettings,
  hasRole: boolean,
): {
  /** Null: not at all. */ readonly recording: TakenRecording | null;
  readonly remarks: readonly Remark[];
} {
  const enabled = settings.take('record', 'enabled');
  if (!enabled || !isOn(enabled.value)) {
    // The other settings of the section have no effect.
    settings.taken.add(settings.pathOf('record'));
    return { recording: enabled ? null : usualRecording, remarks: [] };
  }
  if (!hasRole) {
    const path = settings.pathOf('ffmpeg', 'inputs');
    return { recording: null, remarks: [{ path, value: null, reason: 'no_record_role' }] };
  }
  const mode = settings.take('record', 'retain', 'mode');
  const isAll = mode === null || mode.value === 'all';
  const plain = daysOf(settings, 'record', 'retain', 'days');
  const always = daysOf(settings, 'record', 'continuous', 'days') ?? (isAll ? plain : null);
  const moving = daysOf(settings, 'record', 'motion', 'days') ?? (isAll ? null : plain);
  const events = eventsOf(settings);
  const longest = events.toSorted((a, b) => b.days - a.days)[0] ?? { days: usualEventDays };
  const kept = [always, moving, longest].find((one) => one !== null && one.days > 0);
  if (!kept) return { recording: null, remarks: [] };
  const remarks: Remark[] = [];
  const isOfEvents = kept === longest;
  if (isOfEvents)
    remarks.push({ path: enabled.path, value: enabled.value, reason: 'record_motion' });
  if (kept === moving && mode?.value === 'active_objects') {
    remarks.push({ ...mode, reason: 'record_motion' });
  }
  const retentionDays = Math.min(maxDays, Math.ceil(kept.days));
  if (retentionDays !== kept.days && isFound(kept))
    remarks.push({ ...placeOf(kept), reason: 'retention_rounded' });
  for (const other of [plain, always, moving, ...events]) {
    if (other && isFound(other) && other !== kept && other.days > retentionDays) {
      remarks.push({ ...placeOf(other), reason: 'kept_longer' });
    }
  }
  return { recording: { continuous: kept === always, retentionDays }, remarks: unique(remarks) };
}

const isFound = (kept: Kept): kept is Kept & Found => kept.path !== undefined;
const placeOf = ({ path, value }: Found): Found => ({ path, value });

/** The days for which alerts and detections are kept, with their settings. */
function eventsOf(settings: CameraSettings): Kept[] {
  const names = [
    ['alerts', 'days'],
    ['detections', 'days'],
    ['events', 'default'],
  ] as const;
  return names.flatMap(([kind, days]) => {
    settings.take('record', kind, 'retain', 'mode');
    const kept = daysOf(settings, 'record', kind, 'retain', days);
    return kept ? [kept] : [];
  });
}

/** Null if there is no such setting, or it is not a number of days. */
function daysOf(settings: CameraSettings, ...names: readonly string[]): Kept | null {
  const found = settings.find(...names);
  const days = typeof found?.value === 'string' ? Number(found.value || NaN) : found?.value;
  if (!found || typeof days !== 'number' || !Number.isFinite(days) || days < 0) return null;
  settings.taken.add(found.path);
  return { ...found, days };
}

/** Each setting is listed once, for the first reason. */
function unique(remarks: readonly Remark[]): Remark[] {
  const known = new Set<string>();
  return remarks.filter(({ path }) => {
    const text = path.join('\0');
    return known.has(text) ? false : Boolean(known.add(text));
  });
}
