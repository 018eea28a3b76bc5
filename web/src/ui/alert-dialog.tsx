import { onDemand } from '#lib/on-demand.tsx';
import type { AlertDialogProps } from './alert-dialog-window.tsx';
import { useWasOpened } from './use-was-opened.ts';

const { Component: AlertDialogWindow } = onDemand<AlertDialogProps>(
  async () => (await import('./alert-dialog-window.tsx')).AlertDialogWindow,
);

/** Asks before something that cannot be taken back. Focus starts on Cancel. */
export function AlertDialog(props: AlertDialogProps) {
  const wasOpened = useWasOpened(props.open);
  return wasOpened ? <AlertDialogWindow {...props} /> : null;
}
