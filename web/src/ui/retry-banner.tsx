import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';

export interface RetryBannerProps {
  /** What failed. */
  children: ReactNode;
  onRetry: () => void;
  busy?: boolean;
  /** Beside a list a link is enough; above a whole panel a button stands. */
  look?: 'link' | 'secondary';
}

/** Says what could not be loaded, and loads it again. */
export function RetryBanner({ children, onRetry, busy = false, look = 'link' }: RetryBannerProps) {
  const { t } = useTranslation();
  return (
    <Banner
      tone="error"
      action={
        <Button
          look={look}
          {...(look === 'link'
            ? { className: 'text-current underline' }
            : { size: 'small' as const })}
          busy={busy}
          onClick={onRetry}
        >
          {t('ui.retry')}
        </Button>
      }
    >
      {children}
    </Banner>
  );
}
