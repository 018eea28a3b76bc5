/** The week as a grid, painted with a mouse, a finger or the keyboard. The rows beside it are for precise times. */
import { memo, useId } from 'react';
import { cx } from '#lib/class-names.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useMedia } from '#lib/use-media.ts';
import { useStrokes } from './use-strokes.ts';
import { DAY_MINUTES, coverage, timeOf, weekdays, type Area, type WeekRow } from './week.ts';
import { useWeekdays } from './week-words.ts';

export interface WeekGridProps {
  label: string;
  rows: readonly WeekRow[];
  onPaint: (area: Area, on: boolean) => void;
}

/** Half hours, and on phones hours: a finger does not meet less. */
export function WeekGrid({ label, rows, onPaint }: WeekGridProps) {
  const { t } = useTranslation();
  const names = useWeekdays();
  const id = useId();
  const slotMinutes = useMedia('(min-width: 40rem)') ? 30 : 60;
  const { grid, active, area, on, handlers } = useStrokes({ rows, slotMinutes, onPaint });
  return (
    <div className="grid gap-1">
      <Hours />
      <table
        ref={grid}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- its cells are chosen
        role="grid"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a grid is moved in by arrow keys
        tabIndex={0}
        aria-label={label}
        aria-describedby={`${id}-keys`}
        aria-multiselectable
        aria-activedescendant={`${id}-${active.day}-${active.slot}`}
        className="group w-full touch-pan-y table-fixed border-separate border-spacing-x-px border-spacing-y-0.5 cursor-crosshair rounded-md outline-offset-4 select-none"
        {...handlers}
      >
        <tbody>
          {weekdays.map((day) => (
            <tr key={day}>
              <th scope="row" className="w-11 truncate text-left text-meta font-normal text-muted">
                {names.short(day)}
              </th>
              <DayCells
                id={id}
                day={day}
                rows={rows}
                slotMinutes={slotMinutes}
                activeSlot={day === active.day ? active.slot : null}
                area={area}
                on={on}
              />
            </tr>
          ))}
        </tbody>
      </table>
      <p id={`${id}-keys`} className="text-meta text-muted">
        {t('week.keys')}
      </p>
      <output className="figures min-h-5 text-meta font-medium">
        {area !== null && t('week.stroke', { ...names.area(area) })}
      </output>
    </div>
  );
}

interface DayCellsProps {
  id: string;
  day: number;
  rows: readonly WeekRow[];
  slotMinutes: number;
  /** Null: the chosen cell is of another day. */
  activeSlot: number | null;
  /** What is being painted. */
  area: Area | null;
  on: boolean;
}

const shades = {
  all: 'bg-primary',
  some: 'bg-primary/45',
  none: 'bg-surface-3',
};

const isWithin = (area: Area | null, day: number, from: number): boolean =>
  area !== null &&
  day >= area.firstDay &&
  day <= area.lastDay &&
  from >= area.from &&
  from < area.until;

/** Drawn again only when one of these changes: there are 336 of them beside fields in which the user types. */
const DayCells = memo(function DayCells({
  id,
  day,
  rows,
  slotMinutes,
  activeSlot,
  area,
  on,
}: DayCellsProps) {
  const { t } = useTranslation();
  const name = useWeekdays().long(day);
  const own = rows.filter((row) => row.day === day);
  return Array.from({ length: DAY_MINUTES / slotMinutes }, (_, slot) => {
    const from = slot * slotMinutes;
    const until = from + slotMinutes;
    const painted = on ? 'all' : 'none';
    const shown = isWithin(area, day, from) ? painted : coverage(own, day, from, until);
    return (
      <td
        key={slot}
        id={`${id}-${day}-${slot}`}
        aria-selected={shown === 'all'}
        aria-label={t('week.cell', {
          day: name,
          from: timeOf(from),
          until: timeOf(until),
        })}
        className={cx(
          'h-6 rounded-xs p-0 touch:h-8',
          shades[shown],
          slot === activeSlot && 'group-focus-visible:ring-2 group-focus-visible:ring-ring',
        )}
      />
    );
  });
});

/** Every third hour: more would not fit on a phone. */
function Hours() {
  return (
    <div aria-hidden className="figures flex pl-11 text-meta text-muted">
      {[0, 3, 6, 9, 12, 15, 18, 21].map((hour) => (
        <span key={hour} className="w-0 flex-1">
          {timeOf(hour * 60).slice(0, 2)}
        </span>
      ))}
    </div>
  );
}
