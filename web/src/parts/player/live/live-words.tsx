/** What a live view says of itself, over the foot of the picture. */
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { Spinner } from '#ui/spinner.tsx';

export interface LiveWordsProps {
  children: string;
  /** The sentence stands beside the picture: here is only its sign. */
  isShort?: boolean;
  busy: boolean;
  announce: boolean;
  /** Offers to try it again. */
  onRetry?: (() => void) | undefined;
}

export function LiveWords(props: LiveWordsProps) {
  const { children, isShort = false, busy, announce, onRetry } = props;
  const { t } = useTranslation();
  return (
    <div
      data-live-words
      className="absolute bottom-2 left-2 flex max-w-[calc(100%-1rem)] flex-wrap items-center gap-1.5"
    >
      <p
        role={announce ? 'status' : undefined}
        className="flex items-start gap-1.5 rounded-control bg-black/75 px-2.5 py-1.5 text-meta font-medium text-white"
      >
        {busy ? (
          <Spinner className="mt-px size-3.5 shrink-0" />
        ) : (
          <TriangleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
        )}
        {!isShort && <span>{children}</span>}
      </p>
      {onRetry !== undefined && (
        <Button size="small" look="secondary" onClick={onRetry}>
          {t('ui.retry')}
        </Button>
      )}
    </div>
  );
}
