/** A month with dots on the days of which something is recorded, something moved, or a person was seen. */
import type { RecordedDay } from '@nazar/contract/recordings.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { joined } from '#lib/joined.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { momentOf, monthOf } from '#lib/local-day.ts';
import { Month } from '#ui/date/month.tsx';
import { daysQuery } from './queries.ts';

export interface CalendarProps {
  cameraId: string;
  timezone: string;
  day: string;
  /** The last that can be chosen. */
  today: string;
  onDay: (day: string) => void;
}

const dots = [
  { of: 'recordings', color: 'bg-primary' },
  { of: 'motion', color: 'bg-unrecognized' },
  { of: 'faces', color: 'bg-success' },
] as const;

function dotsOf(recorded: RecordedDay | undefined) {
  return (
    <span aria-hidden className="flex h-1.5 justify-center gap-0.5">
      {dots.map(({ of, color }) =>
        (recorded?.[of] ?? 0) > 0 ? (
          <span key={of} className={cx('size-1.5 rounded-full', color)} />
        ) : null,
      )}
    </span>
  );
}

function Legend() {
  const { t } = useTranslation();
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 px-1 text-meta text-muted">
      {dots.map(({ of, color }) => (
        <span key={of} className="inline-flex items-center gap-1">
          <span aria-hidden className={cx('size-1.5 rounded-full', color)} />
          {t(`recordings.dot.${of}`)}
        </span>
      ))}
    </p>
  );
}

/** What a day is called, and what there is of it. */
function useDayLabel() {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  return (day: string, recorded: RecordedDay | undefined): string =>
    joined(
      [
        formatTime(momentOf(day), { dateStyle: 'full' }),
        recorded && t('recordings.found', { count: recorded.recordings }),
        recorded && recorded.motion > 0 && t('recordings.dot.motion'),
        recorded && recorded.faces > 0 && t('recordings.faces', { count: recorded.faces }),
      ],
      ', ',
    );
}

export function Calendar({ cameraId, timezone, day, today, onDay }: CalendarProps) {
  const { t } = useTranslation();
  const label = useDayLabel();
  const [focused, setFocused] = useState(day);
  const { data, isError } = useQuery(daysQuery(cameraId, monthOf(focused), timezone));
  const recorded = new Map(data?.results.map((one) => [one.date, one]));
  return (
    <div className="grid gap-2">
      <Month
        day={day}
        focused={focused}
        today={today}
        max={today}
        label={(one) => label(one, recorded.get(one))}
        mark={(one) => dotsOf(recorded.get(one))}
        onFocus={setFocused}
        onDay={onDay}
      />
      {isError ? (
        <p role="alert" className="px-1 text-meta text-danger-text">
          {t('recordings.daysFailed')}
        </p>
      ) : (
        <Legend />
      )}
    </div>
  );
}
