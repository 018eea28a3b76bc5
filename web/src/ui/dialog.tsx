/** Dialogs. The code of the window comes with the first one that is opened (12 kB compressed). */
import { useState, type ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';
import { onDemand } from '#lib/on-demand.tsx';

export interface DialogProps {
  /** The focus returns to what opened it. */
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  width?: 'small' | 'medium' | 'large' | 'wide';
  children: ReactNode;
}

const { Component: DialogWindow } = onDemand<DialogProps>(
  async () => (await import('./dialog-window.tsx')).DialogWindow,
);

export function Dialog(props: DialogProps) {
  const wasOpened = useWasOpened(props.open);
  return wasOpened ? <DialogWindow {...props} /> : null;
}

/** What was opened once stays, closed, so that the focus finds its way back. */
export function useWasOpened(open: boolean): boolean {
  const [wasOpened, setWasOpened] = useState(open);
  if (open && !wasOpened) setWasOpened(true);
  return wasOpened || open;
}

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
