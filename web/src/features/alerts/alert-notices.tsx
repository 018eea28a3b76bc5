import { Banner } from '#ui/banner.tsx';
import type { Refused } from './use-change-status.ts';

export interface AlertNoticesProps {
  refused: readonly Refused[];
  onDismiss: (key: string) => void;
}

/** What the server refused, each by its name. Above the page, so that nothing moves when it comes and goes. */
export function AlertNotices({ refused, onDismiss }: AlertNoticesProps) {
  if (refused.length === 0) return null;
  return (
    <div className="fixed inset-x-4 bottom-4 z-50 grid max-h-[50dvh] gap-2 overflow-y-auto sm:left-auto sm:max-w-md">
      {refused.map(({ key, sentence }) => (
        <div key={key} className="animate-appear rounded-control bg-surface shadow-overlay">
          <Banner tone="error" onClose={() => onDismiss(key)}>
            {sentence}
          </Banner>
        </div>
      ))}
    </div>
  );
}
