/** A line of text with a calendar beside it that writes a day into it. */
import { ChevronDown } from 'lucide-react';
import { useRef, useState, type ComponentProps } from 'react';
import { cx } from '#lib/class-names.ts';
import { useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import type { CalendarWindowProps, DayChoice } from './calendar-window.tsx';

const { Component: CalendarWindow, preload } = onDemand<CalendarWindowProps>(
  async () => (await import('./calendar-window.tsx')).CalendarWindow,
);
const reach = (): void => void preload().catch(() => undefined);

/** In the end of the field. */
const buttonLook =
  'absolute inset-y-0 right-0 grid w-10 place-items-center rounded-control text-muted hover:text-fg [&_svg]:size-4';

type CalendarButtonProps = Omit<CalendarWindowProps, 'className'> & {
  disabled: boolean | undefined;
};

/** The code of the month comes when the button is first reached for. */
function CalendarButton({ disabled, ...props }: CalendarButtonProps) {
  const { t } = useTranslation();
  const [wasOpened, setWasOpened] = useState(false);
  if (wasOpened) return <CalendarWindow {...props} className={buttonLook} />;
  return (
    <button
      type="button"
      disabled={disabled}
      aria-haspopup="dialog"
      aria-expanded={false}
      aria-label={t('ui.date.open', { label: props.label })}
      className={buttonLook}
      onPointerEnter={reach}
      onFocus={reach}
      onClick={() => void preload().then(() => setWasOpened(true))}
    >
      <ChevronDown aria-hidden />
    </button>
  );
}

export interface CalendarInputProps
  extends Omit<ComponentProps<'input'>, 'min' | 'max' | 'type' | 'ref'>, DayChoice {
  /** The text with that day in it. */
  withDay: (day: string) => string;
}

export function CalendarInput(props: CalendarInputProps) {
  const { label, day, min, max, withDay, className, disabled, ...rest } = props;
  const input = useRef<HTMLInputElement>(null);
  const write = (chosen: string): void => {
    const field = input.current;
    if (!field) return;
    // As if it were typed: what watches for unsaved input and what reads the field notice it.
    field.setRangeText(withDay(chosen), 0, field.value.length, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return (
    <span className={cx('relative block', className)}>
      <input
        ref={input}
        type="text"
        autoComplete="off"
        disabled={disabled}
        {...rest}
        className="control pr-11"
      />
      <CalendarButton
        label={label}
        day={day}
        min={min}
        max={max}
        disabled={disabled}
        onDay={write}
      />
    </span>
  );
}
