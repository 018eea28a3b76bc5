/**
 * The month that opens at a date field, over Radix. Not modal and not in a portal, as menus are not: it stays inside
 * the dialog or landmark of its field, and is placed by `position: fixed`.
 */
import { ChevronDown } from 'lucide-react';
import { Popover as Primitive } from 'radix-ui';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { dayOf } from '#lib/local-day.ts';
import { Month } from './month.tsx';

export interface DayChoice {
  /** What the day is of: the label of the field. */
  label: string;
  /** Null: none is chosen. */
  day: string | null;
  min?: string | undefined;
  max?: string | undefined;
}

export interface CalendarWindowProps extends DayChoice {
  /** The classes of the button that opens it again. */
  className: string;
  onDay: (day: string) => void;
}

export function CalendarWindow({ label, day, min, max, className, onDay }: CalendarWindowProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(true);
  return (
    <Primitive.Root open={isOpen} onOpenChange={setOpen}>
      <Primitive.Trigger aria-label={t('ui.date.open', { label })} className={className}>
        <ChevronDown aria-hidden />
      </Primitive.Trigger>
      <Primitive.Content
        aria-label={label}
        align="end"
        sideOffset={6}
        collisionPadding={8}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          const content = event.currentTarget as HTMLElement;
          content.querySelector<HTMLElement>('td [tabindex="0"]')?.focus();
        }}
        className="overlay-card animate-appear z-50 grid w-72 gap-2 p-3"
      >
        <OpenMonth
          day={day}
          min={min}
          max={max}
          onDay={(chosen) => {
            setOpen(false);
            onDay(chosen);
          }}
        />
      </Primitive.Content>
    </Primitive.Root>
  );
}

function OpenMonth({ day, min, max, onDay }: Omit<CalendarWindowProps, 'label' | 'className'>) {
  const [today] = useState(() => dayOf(Date.now()));
  const [focused, setFocused] = useState(() => {
    const start = day ?? today;
    if (max !== undefined && start > max) return max;
    return min !== undefined && start < min ? min : start;
  });
  return (
    <Month
      day={day}
      focused={focused}
      today={today}
      min={min}
      max={max}
      onFocus={setFocused}
      onDay={onDay}
    />
  );
}
