/** A dialog that is the whole window, always dark: for pictures. */
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode, Ref } from 'react';
import { letFocusArrive } from '#lib/let-focus-arrive.ts';
import { useModalLock } from '#lib/use-modal-lock.ts';
import { useReturnFocus } from '#lib/use-return-focus.ts';

export interface FullScreenProps {
  onClose: () => void;
  /** Names it; shown by `children` through `FullScreenTitle`. */
  children: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

export function FullScreen({ onClose, children, ref }: FullScreenProps) {
  useModalLock(true);
  const returnFocus = useReturnFocus(true);
  return (
    <Primitive.Root open onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Primitive.Content
          ref={ref}
          onOpenAutoFocus={letFocusArrive}
          onCloseAutoFocus={returnFocus}
          aria-describedby={undefined}
          className="dark fixed inset-0 z-40 flex flex-col bg-bg text-fg outline-none"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

export function FullScreenTitle({ children }: { children: ReactNode }) {
  return (
    <Primitive.Title className="truncate text-section font-semibold">{children}</Primitive.Title>
  );
}
