import type { ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';

export interface ActionsProps {
  children: ReactNode;
  className?: string | undefined;
}

/**
 * The row of buttons at the end of a dialog or a form: the main one last, full width on phones. In a dialog it is the
 * footer, which stays in sight.
 */
export function Actions({ children, className }: ActionsProps) {
  return (
    <div
      data-actions
      className={cx(
        'mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end',
        'in-data-dialog-body:dialog-footer',
        className,
      )}
    >
      {children}
    </div>
  );
}
