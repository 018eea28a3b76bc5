/** Asks before another address, or the end of the page, takes away what was typed. */
import { useBlocker } from '@tanstack/react-router';
import { hasUnsaved } from '#lib/unsaved.ts';
import { DiscardDialog } from '#ui/discard-dialog.tsx';

export function UnsavedGuard() {
  const blocker = useBlocker({
    // A dialog whose address says that it is open leaves its path where it is once it has saved.
    shouldBlockFn: ({ current, next, action }) =>
      (current.pathname !== next.pathname || (action !== 'PUSH' && action !== 'REPLACE')) &&
      hasUnsaved(),
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  });
  return (
    <DiscardDialog
      open={blocker.status === 'blocked'}
      onKeep={() => blocker.reset?.()}
      onDiscard={() => blocker.proceed?.()}
    />
  );
}
