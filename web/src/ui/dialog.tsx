/** Dialogs. The code of the window comes with the first one that is opened (12 kB compressed). */
import { onDemand } from '#lib/on-demand.tsx';
import type { DialogProps } from './dialog-window.tsx';
import { useWasOpened } from './use-was-opened.ts';

const { Component: DialogWindow } = onDemand<DialogProps>(
  async () => (await import('./dialog-window.tsx')).DialogWindow,
);

export function Dialog(props: DialogProps) {
  const wasOpened = useWasOpened(props.open);
  return wasOpened ? <DialogWindow {...props} /> : null;
}
