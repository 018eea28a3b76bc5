/**
 * A month with dots on the days of which something is recorded, something moved, or somebody was seen. One day takes
 * the focus; arrows, Home, End and Page Up and Down move it, as in the grid of dates of the ARIA authoring practices.
 */
import type { RecordedDay } from '@nazar/contract/recordings.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { joined } from '#lib/joined.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { dayAfter, dayInMonth, momentOf, monthOf, weeksOf } from '#lib/local-day.ts';
import { IconButton } from '#ui/icon-button.tsx';
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

function Dots({ recorded }: { recorded: RecordedDay | undefined }) {
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

/** Where a key leads from a day; null: it is no key of the calendar. */
function dayByKey(key: string, day: string): string | null {
  const weekday = (momentOf(day).getDay() + 6) % 7;
  switch (key) {
    case 'ArrowLeft':
      return dayAfter(day, -1);
    case 'ArrowRight':
      return dayAfter(day, 1);
    case 'ArrowUp':
      return dayAfter(day, -7);
    case 'ArrowDown':
      return dayAfter(day, 7);
    case 'Home':
      return dayAfter(day, -weekday);
    case 'End':
      return dayAfter(day, 6 - weekday);
    case 'PageUp':
      return dayInMonth(day, -1);
    case 'PageDown':
      return dayInMonth(day, 1);
    default:
      return null;
  }
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

function Weekdays({ week }: { week: readonly string[] }) {
  const { formatTime } = useFormat();
  return (
    <tr>
      {week.map((day) => (
        <th
          key={day}
          scope="col"
          abbr={formatTime(momentOf(day), { weekday: 'long' })}
          className="pb-1 text-meta font-medium text-muted"
        >
          {formatTime(momentOf(day), { weekday: 'short' })}
        </th>
      ))}
    </tr>
  );
}

export function Calendar({ cameraId, timezone, day, today, onDay }: CalendarProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const label = useDayLabel();
  const id = useId();
  const [focused, setFocused] = useState(day);
  const grid = useRef<HTMLTableElement>(null);
  /** Whether the focus is to follow: only keys move it. */
  const follow = useRef(false);
  const month = monthOf(focused);
  const { data, isError } = useQuery(daysQuery(cameraId, month, timezone));
  const recorded = new Map(data?.results.map((one) => [one.date, one]));
  useEffect(() => {
    if (!follow.current) return;
    follow.current = false;
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  const turn = (months: number): void => {
    const next = dayInMonth(focused, months);
    setFocused(next > today ? today : next);
  };
  const press = (event: KeyboardEvent): void => {
    const next = dayByKey(event.key, focused);
    if (next === null) return;
    event.preventDefault();
    follow.current = true;
    setFocused(next > today ? today : next);
  };
  const weeks = weeksOf(month);
  return (
    <div className="grid gap-2">
      <div className="flex items-center justify-between gap-2">
        <IconButton label={t('recordings.previousMonth')} small onClick={() => turn(-1)}>
          <ChevronLeft aria-hidden />
        </IconButton>
        <p id={id} aria-live="polite" className="text-ui font-semibold">
          {formatTime(momentOf(`${month}-01`), { month: 'long', year: 'numeric' })}
        </p>
        <IconButton
          label={t('recordings.nextMonth')}
          small
          disabled={month >= monthOf(today)}
          onClick={() => turn(1)}
        >
          <ChevronRight aria-hidden />
        </IconButton>
      </div>
      <table
        ref={grid}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- arrows move in it, as the pattern of a grid has it
        role="grid"
        aria-labelledby={id}
        onKeyDown={press}
        className="w-full table-fixed text-center"
      >
        <thead>
          <Weekdays week={weeks[0] ?? []} />
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((one) => (
                <td key={one} aria-selected={one === day} className="p-0.5">
                  {monthOf(one) === month && (
                    <button
                      type="button"
                      tabIndex={one === focused ? 0 : -1}
                      disabled={one > today}
                      aria-label={label(one, recorded.get(one))}
                      aria-current={one === today ? 'date' : undefined}
                      onClick={() => onDay(one)}
                      className={cx(
                        'figures grid w-full content-center gap-0.5 rounded-control py-1 text-ui touch:min-h-11',
                        'disabled:text-subtle disabled:opacity-55',
                        one === day
                          ? 'bg-primary-soft font-semibold text-primary-text'
                          : 'enabled:hover:bg-surface-2',
                        one === today && 'ring-1 ring-line-strong',
                      )}
                    >
                      {Number(one.slice(8))}
                      <Dots recorded={recorded.get(one)} />
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
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
