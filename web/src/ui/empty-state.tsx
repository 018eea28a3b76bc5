/** Why a place is empty: nothing yet, filtered out, failed, or not allowed. Each says what helps. */
import { CloudAlert, FilterX, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from './button.tsx';

export interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  text?: ReactNode;
  /** The one thing to do about it. */
  action?: ReactNode;
}

export function EmptyState({ icon, title, text, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-1 px-4 py-12 text-center">
      <span
        aria-hidden
        className="mb-3 grid size-12 place-items-center rounded-full bg-surface-2 text-muted [&_svg]:size-6"
      >
        {icon}
      </span>
      <p className="text-body font-semibold">{title}</p>
      {text !== undefined && <p className="max-w-md text-ui text-muted">{text}</p>}
      {action !== undefined && <div className="mt-4">{action}</div>}
    </div>
  );
}

/** There is something, but the filters hide it. */
export function FilteredOut({ title, onClear }: { title: string; onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<FilterX />}
      title={title}
      text={t('ui.filteredOut')}
      action={
        <Button look="secondary" onClick={onClear}>
          {t('ui.clearFilters')}
        </Button>
      }
    />
  );
}

export interface FailedProps {
  /** What could not be had. */
  title?: string;
  /** The problem's sentence. */
  text?: string;
  /** Absent where asking again does not help. */
  onRetry?: () => void;
  busy?: boolean;
}

export function Failed({ title, text, onRetry, busy = false }: FailedProps) {
  const { t } = useTranslation();
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudAlert />}
        title={title ?? t('ui.failed')}
        {...(text !== undefined && { text })}
        {...(onRetry && {
          action: (
            <Button look="secondary" busy={busy} onClick={onRetry}>
              {t('ui.retry')}
            </Button>
          ),
        })}
      />
    </div>
  );
}

export function NotAllowed() {
  const { t } = useTranslation();
  return <EmptyState icon={<Lock />} title={t('ui.notAllowed')} text={t('ui.notAllowedText')} />;
}
