/** How a recording is written: how long, how large, from when to when. */
import type { Recording } from '@nazar/contract/recordings.ts';
import { formatSeconds, formatTime, useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { dayOf } from '#lib/local-day.ts';
import { useBytes } from '#lib/use-bytes.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `1:02:03`, or `2:03`. */
export function clockOf(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = twoDigits(whole % 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`;
}

const hourS = 3600;
const megabyte = 1e6;
/** A time of that day, or of another with its date. */
const at = (moment: string, day: string | null): string =>
  formatTime(moment, {
    timeStyle: 'medium',
    ...(dayOf(Date.parse(moment)) !== day && { dateStyle: 'medium' }),
  });

export function useWords() {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const bytes = useBytes();
  return {
    /** Whatever it is, in MB. */
    megabytes: (bytes: number): string =>
      t('recordings.megabytes', {
        size: formatNumber(bytes / megabyte, {
          maximumFractionDigits: bytes < 10 * megabyte ? 1 : 0,
        }),
      }),
    /** Much of it, in what it is usually counted in. */
    bytes,
    /** "12 h 5 min", and below an hour "5 min" or "40 sec". */
    hours: (seconds: number): string => {
      if (seconds < hourS) return formatSeconds(Math.round(seconds));
      const minutes = Math.floor(seconds / 60);
      return t('recordings.hours', {
        hours: formatNumber(Math.floor(minutes / 60)),
        minutes: minutes % 60,
      });
    },
    /** When it begins and ends, each with its date where that is not `day`, or not that of the beginning. */
    times: ({ startTime, endTime }: Recording, day: string | null): string => {
      const from = at(startTime, day);
      if (endTime === null) return t('recordings.since', { from });
      const until = at(endTime, day ?? dayOf(Date.parse(startTime)));
      return t('recordings.span', { from, until });
    },
    date: (day: Date): string => formatTime(day, { dateStyle: 'medium' }),
  };
}
