/** A moment that is typed; what is no time says why. */
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { Input } from '#ui/input.tsx';
import { shownMoment, typedMoment, type TypedFault } from './typed-moment.ts';

export interface GoToMomentProps {
  timezone: string;
  /** A time without a date is one of its day. */
  nearMs: () => number;
  onGo: (ms: number) => void;
}

export function GoToMoment({ timezone, nearMs, onGo }: GoToMomentProps) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState('');
  const [fault, setFault] = useState<TypedFault | null>(null);
  const [openedMs] = useState(Date.now);
  const example = shownMoment(openedMs, timezone).slice(0, -3);
  const go = (event: FormEvent): void => {
    event.preventDefault();
    const typed = typedMoment(text, { timezone, nearMs: nearMs(), nowMs: Date.now() });
    setFault('fault' in typed ? typed.fault : null);
    if ('ms' in typed) onGo(typed.ms);
  };
  return (
    <form onSubmit={go} className="flex flex-wrap items-center gap-2">
      <label htmlFor={id} className="sr-only">
        {t('timeline.moment')}
      </label>
      <Input
        id={id}
        value={text}
        placeholder={example}
        autoComplete="off"
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        onChange={({ target }) => {
          setText(target.value);
          setFault(null);
        }}
        className="w-44 tabular-nums"
      />
      <Button type="submit" look="secondary">
        {t('timeline.go')}
      </Button>
      {fault !== null && (
        <p id={`${id}-fault`} role="alert" className="w-full text-meta text-danger-text">
          {t(`timeline.fault.${fault}`, { example })}
        </p>
      )}
    </form>
  );
}
