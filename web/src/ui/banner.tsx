import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { IconButton } from './icon-button.tsx';

const tones = {
  success: { box: 'border-success/40 bg-success-soft text-success-text', Icon: CircleCheck },
  error: { box: 'border-danger/40 bg-danger-soft text-danger-text', Icon: CircleAlert },
  info: { box: 'border-info/40 bg-info-soft text-info-text', Icon: Info },
};

export interface BannerProps {
  tone: keyof typeof tones;
  children: ReactNode;
  /** Without it the banner cannot be dismissed. */
  onClose?: (() => void) | undefined;
  /** Closes by itself after this long, except while pointed at or focused. Errors stay. */
  clearAfterMs?: number;
  action?: ReactNode;
}

/** Says how something went. Errors interrupt a screen reader, the rest waits its turn. */
export function Banner({ tone, children, onClose, clearAfterMs, action }: BannerProps) {
  const { t } = useTranslation();
  const [held, setHeld] = useState(false);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  }, [onClose]);
  useEffect(() => {
    if (held || clearAfterMs === undefined || tone === 'error') return undefined;
    const timer = setTimeout(() => close.current?.(), clearAfterMs);
    return () => clearTimeout(timer);
  }, [held, clearAfterMs, tone]);
  const { box, Icon } = tones[tone];
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={cx('flex items-start gap-2.5 rounded-control border px-3 py-2.5 text-ui', box)}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="flex-1 font-medium">{children}</div>
      {action}
      {onClose !== undefined && (
        <IconButton
          label={t('ui.dismiss')}
          small
          tooltip={false}
          className="-my-1 -mr-1 text-current hover:bg-black/5 hover:text-current"
          onClick={onClose}
        >
          <X aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
