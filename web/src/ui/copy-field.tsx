import { Check, Copy } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

export interface CopyFieldProps {
  label: string;
  hint?: ReactNode;
  value: string;
  copyLabel: string;
  /** Said on the button once the clipboard holds the value. */
  copiedLabel: string;
  /** Every character counts: a key rather than an address. */
  mono?: boolean;
}

/** A text to be taken elsewhere: a button copies it, and focus selects it where the browser allows no copying. */
export function CopyField({
  label,
  hint,
  value,
  copyLabel,
  copiedLabel,
  mono = false,
}: CopyFieldProps) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return (
    <Field label={label} hint={hint}>
      {(attributes) => (
        <span className="flex gap-2">
          <Input
            readOnly
            value={value}
            className={cx('min-w-0 flex-1', mono && 'font-mono')}
            onFocus={({ target }) => target.select()}
            {...attributes}
          />
          <Button look="secondary" onClick={() => void copy()}>
            {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
            {copied ? copiedLabel : copyLabel}
          </Button>
        </span>
      )}
    </Field>
  );
}
