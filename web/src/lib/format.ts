/** Numbers, times and lists in the reader's language, through Intl with its formatters kept. */
import { isolated } from '@nazar/contract/text-direction.ts';
import { useTranslation } from '#lib/i18n.ts';
import { formatsOf } from './formats.ts';
import type { Formats } from './language-formats.ts';
import { currentLanguage } from './i18n.ts';

const kept = new Map<string, (value: never) => string>();

function formatter<T>(
  kind: string,
  options: object,
  make: (formats: Formats) => (value: T) => string,
): (value: T) => string {
  const language = currentLanguage();
  const key = `${kind} ${language} ${JSON.stringify(options)}`;
  const found = kept.get(key) as ((value: T) => string) | undefined;
  if (found !== undefined) return found;
  const made = make(formatsOf(language));
  kept.set(key, made);
  return made;
}

export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return formatter<number>('number', options, (to) => to.number(options))(value);
}

/** From a fraction: 0.953 reads 95.3 %. */
export function formatPercent(fraction: number, digits = 0): string {
  return formatNumber(fraction, { style: 'percent', maximumFractionDigits: digits });
}

export type Instant = string | number | Date;

export function formatTime(
  at: Instant,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' },
): string {
  const full: Intl.DateTimeFormatOptions = { hourCycle: 'h23', ...options };
  return formatter<Date>('time', full, (to) => to.time(full))(new Date(at));
}

const steps = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const;

/** "2 minutes ago", "now"; precise enough for lists, the exact time belongs in a title. */
export function formatAgo(at: Instant, now: number = Date.now()): string {
  const seconds = Math.round((new Date(at).getTime() - now) / 1000);
  const formats = formatsOf(currentLanguage());
  const step = steps.find((candidate) => Math.abs(seconds) >= candidate.seconds);
  if (step === undefined) return formats.ago(Math.abs(seconds) < 10 ? 0 : seconds, 'second');
  return formats.ago(Math.trunc(seconds / step.seconds), step.unit);
}

/** "40 sec", and whole minutes from two on. */
export function formatSeconds(seconds: number): string {
  const style = { style: 'unit', unitDisplay: 'short' } as const;
  return seconds < 120
    ? formatNumber(seconds, { ...style, unit: 'second' })
    : formatNumber(Math.round(seconds / 60), { ...style, unit: 'minute' });
}

/** "Leyla, Ali and Nigar". */
export const formatList = (parts: readonly string[]): string =>
  formatsOf(currentLanguage()).list(parts.map(isolated));

/** The formatters above, re-read by React when the language changes. */
export function useFormat() {
  useTranslation();
  return { formatNumber, formatPercent, formatTime, formatAgo };
}
