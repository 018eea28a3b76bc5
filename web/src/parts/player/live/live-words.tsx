/** What a live view says of itself, over the foot of the picture. */
import { LoaderCircle, TriangleAlert } from 'lucide-react';
import { cx } from '#lib/class-names.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';

export interface LiveWordsProps {
  children: string;
  busy: boolean;
  announce: boolean;
  /** Offers to try it again. */
  onRetry?: (() => void) | undefined;
}

export function LiveWords({ children, busy, announce, onRetry }: LiveWordsProps) {
  const { t } = useTranslation();
  const Icon = busy ? LoaderCircle : TriangleAlert;
  return (
    <div className="absolute bottom-2 left-2 flex max-w-[calc(100%-1rem)] flex-wrap items-center gap-1.5">
      <p
        role={announce ? 'status' : undefined}
        className="flex items-start gap-1.5 rounded-control bg-black/75 px-2.5 py-1.5 text-meta font-medium text-white"
      >
        <Icon aria-hidden className={cx('mt-px size-3.5 shrink-0', busy && 'animate-spin')} />
        <span>{children}</span>
      </p>
      {onRetry !== undefined && (
        <Button size="small" look="secondary" onClick={onRetry}>
          {t('ui.retry')}
        </Button>
      )}
    </div>
  );
}
