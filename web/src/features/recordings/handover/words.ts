/** Sizes, lengths and periods in the reader's language. */
import type { RecordingExport } from '@nazar/contract/exports.ts';
import type { Translate } from '#lib/i18n.ts';
import { formatNumber, formatSeconds, formatTime } from '#lib/format.ts';

const units = [
  { unit: 'GB', bytes: 1e9 },
  { unit: 'MB', bytes: 1e6 },
  { unit: 'kB', bytes: 1e3 },
] as const;

/** Three digits are enough to choose a stick by. */
export function sizeWords(t: Translate, bytes: number): string {
  const found = units.find((one) => bytes >= one.bytes) ?? units[2];
  const value = formatNumber(bytes / found.bytes, { maximumSignificantDigits: 3 });
  return t(`handover.size.${found.unit}`, { value });
}

/** `0:07:30`, for what may last a day. */
export function lengthWords(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor((whole % 3600) / 60), whole % 60];
  return [Math.floor(whole / 3600), ...parts.map((part) => String(part).padStart(2, '0'))].join(
    ':',
  );
}

/** The date of the end is said only where it is another day. */
export function periodWords(from: string | number, until: string | number): string {
  const isSameDay = new Date(from).toDateString() === new Date(until).toDateString();
  const exact = { dateStyle: 'medium', timeStyle: 'medium' } as const;
  const end = formatTime(until, isSameDay ? { timeStyle: 'medium' } : exact);
  return `${formatTime(from, exact)} – ${end}`;
}

/** How much of the period a ready export does not have, although it was recorded. */
export const leftOutWords = (
  t: Translate,
  { left_out_seconds: seconds }: Pick<RecordingExport, 'left_out_seconds'>,
): string => t('handover.leftOut', { time: formatSeconds(Math.ceil(seconds ?? 0)) });
