/**
 * The days of a month as a grid. One day takes the focus; arrows, Home, End and Page Up and Down (with Shift: a year)
 * move it, as in the grid of dates of the ARIA authoring practices.
 */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { dayInMonth, momentOf, monthOf, weeksOf } from '#lib/local-day.ts';
import { IconButton } from '../icon-button.tsx';
import { dayByKey } from './day-keys.ts';

export interface MonthProps {
  /** The day that is chosen; null: none is. */
  day: string | null;
  /** The day whose month is shown, and which takes the focus. */
  focused: string;
  today: string;
  /** The first and the last day that can be chosen. */
  min?: string | undefined;
  max?: string | undefined;
  /** What a day is called; absent: by its date. */
  label?: ((day: string) => string) | undefined;
  /** Drawn under the number of a day. */
  mark?: ((day: string) => ReactNode) | undefined;
  onFocus: (day: string) => void;
  onDay: (day: string) => void;
}

/** Days are compared as texts. */
const within = (day: string, min: string | undefined, max: string | undefined): string => {
  if (max !== undefined && day > max) return max;
  return min !== undefined && day < min ? min : day;
};

export function Month(props: MonthProps) {
  const { focused, min, max, onFocus } = props;
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const id = useId();
  const grid = useRef<HTMLTableElement>(null);
  /** Whether the focus is to follow: only keys move it. */
  const follow = useRef(false);
  useEffect(() => {
    if (!follow.current) return;
    follow.current = false;
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  const month = monthOf(focused);
  const turn = (months: number): void => onFocus(within(dayInMonth(focused, months), min, max));
  const press = (event: KeyboardEvent): void => {
    const next = dayByKey(event.key, event.shiftKey, focused);
    if (next === null) return;
    event.preventDefault();
    follow.current = true;
    onFocus(within(next, min, max));
  };
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <IconButton
          label={t('ui.date.previousMonth')}
          small
          disabled={min !== undefined && month <= monthOf(min)}
          onClick={() => turn(-1)}
        >
          <ChevronLeft aria-hidden />
        </IconButton>
        <p id={id} aria-live="polite" className="text-ui font-semibold">
          {formatTime(momentOf(`${month}-01`), { month: 'long', year: 'numeric' })}
        </p>
        <IconButton
          label={t('ui.date.nextMonth')}
          small
          disabled={max !== undefined && month >= monthOf(max)}
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
        <Days {...props} />
      </table>
    </>
  );
}

function Days(props: MonthProps) {
  const month = monthOf(props.focused);
  const weeks = weeksOf(month);
  return (
    <>
      <thead>
        <Weekdays week={weeks[0] ?? []} />
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((one) => (
              <td key={one} aria-selected={one === props.day} className="p-0.5">
                {monthOf(one) === month && <Day {...props} one={one} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </>
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

function Day({
  one,
  day,
  focused,
  today,
  min,
  max,
  label,
  mark,
  onDay,
}: MonthProps & { one: string }) {
  const { formatTime } = useFormat();
  return (
    <button
      type="button"
      tabIndex={one === focused ? 0 : -1}
      disabled={one !== within(one, min, max)}
      aria-label={label ? label(one) : formatTime(momentOf(one), { dateStyle: 'full' })}
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
      {mark?.(one)}
    </button>
  );
}
