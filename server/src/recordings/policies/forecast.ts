/** How many days of recordings a disk will hold, when its oldest go first. Pure. */
import type { WeekSchedule } from '@nazar/contract/week-schedule.ts';
import type { StorageFit } from '@nazar/contract/recordings.ts';

export interface Demand {
  readonly bytesPerDay: number;
  /** How many days are to be kept. */
  readonly days: number;
}

/**
 * Returns how many of the wanted days are really kept on a disk that `others` share: all of them, or as many as fit
 * when every camera loses what is older than that.
 */
export function keptDays(capacityBytes: number, wanted: Demand, others: readonly Demand[]): number {
  if (wanted.bytesPerDay <= 0) return wanted.days;
  const all = [wanted, ...others].filter(({ bytesPerDay }) => bytesPerDay > 0);
  let leftBytes = Math.max(0, capacityBytes);
  let fromDay = 0;
  for (const { days } of all.toSorted((a, b) => a.days - b.days)) {
    // Up to that day these cameras need room.
    const growing = all.filter((demand) => demand.days > fromDay);
    const perDay = growing.reduce((sum, { bytesPerDay }) => sum + bytesPerDay, 0);
    const bytes = perDay * (days - fromDay);
    if (bytes > leftBytes) return Math.min(wanted.days, fromDay + leftBytes / perDay);
    leftBytes -= bytes;
    fromDay = days;
  }
  return wanted.days;
}

/** How many of its days a camera's recordings really stay. */
export interface CameraFit {
  readonly cameraId: string;
  readonly keptDays: number;
  readonly wantedDays: number;
}

/** Returns the part that the worst of these cameras keeps, and how many keep less than they should. */
export function fitOf(fits: readonly CameraFit[]): StorageFit | null {
  const share = ({ keptDays: kept, wantedDays }: CameraFit): number => kept / wantedDays;
  const [worst] = fits.toSorted((a, b) => share(a) - share(b) || b.wantedDays - a.wantedDays);
  if (!worst) return null;
  return {
    kept_days: tenths(worst.keptDays),
    wanted_days: worst.wantedDays,
    short_cameras: fits.filter(({ keptDays: kept, wantedDays }) => tenths(kept) < wantedDays)
      .length,
  };
}

/** Rounded down: what is said to fit does. */
export const tenths = (days: number): number => Math.floor(days * 10) / 10;

/**
 * Returns the seconds of a day that a weekly schedule records, on average over a week. Overlapping spans count once.
 */
export function secondsPerDay({ spans }: WeekSchedule): number {
  const minutes = new Set<number>();
  for (const { day, from, until } of spans) {
    for (let minute = minuteOf(from); minute < minuteOf(until); minute++) {
      minutes.add(day * 1440 + minute);
    }
  }
  return (minutes.size * 60) / 7;
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
