/** The day that is listed: the one before, the one after, or any by the calendar. */
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { dayAfter, momentOf } from '#lib/local-day.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Calendar, type CalendarProps } from './calendar.tsx';

export function DayPicker(props: CalendarProps) {
  const { day, today, onDay } = props;
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const choose = (chosen: string): void => {
    close();
    onDay(chosen);
  };
  const date = formatTime(momentOf(day), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-1">
        <IconButton
          label={t('recordings.previousDay')}
          look="secondary"
          onClick={() => onDay(dayAfter(day, -1))}
        >
          <ChevronLeft aria-hidden />
        </IconButton>
        <Button
          ref={button}
          look="secondary"
          className="figures flex-1"
          aria-label={t('recordings.date', { date })}
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        >
          <CalendarDays aria-hidden />
          {date}
        </Button>
        <IconButton
          label={t('recordings.nextDay')}
          look="secondary"
          disabled={day >= today}
          onClick={() => onDay(dayAfter(day, 1))}
        >
          <ChevronRight aria-hidden />
        </IconButton>
      </div>
      {open && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes what lies in it
        <div
          id={id}
          className="rounded-control border border-line p-2"
          onKeyDown={(event) => {
            if (event.key === 'Escape') close();
          }}
        >
          <Calendar key={day} {...props} onDay={choose} />
          {day !== today && (
            <Button look="link" className="mt-1" onClick={() => choose(today)}>
              {t('recordings.today')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
