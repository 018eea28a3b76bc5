import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';

/** A field for a secret that can be shown while it is typed. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const label = shown ? t('ui.hidePassword') : t('ui.showPassword');
  const Icon = shown ? EyeOff : Eye;
  return (
    <span className={cx('relative block', className)}>
      <input
        className="control pr-11"
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        {...rest}
      />
      <button
        type="button"
        aria-label={label}
        aria-pressed={shown}
        title={label}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-control text-muted hover:text-fg"
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </span>
  );
}
