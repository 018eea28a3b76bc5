import { AlertDialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { letFocusArrive } from '#lib/let-focus-arrive.ts';
import { useModalLock } from '#lib/use-modal-lock.ts';
import { useReturnFocus } from '#lib/use-return-focus.ts';
import { Actions } from './actions.tsx';
import { Button } from './button.tsx';

export interface AlertDialogProps {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  /** Names the thing and what happens to it. */
  description: ReactNode;
  /** The verb of what happens, never "OK". */
  confirmLabel: string;
  /** Where the other button does more than close: what it does. */
  cancelLabel?: string;
  danger?: boolean;
  busy?: boolean;
  /** What went wrong at the last attempt. */
  error?: ReactNode;
}

export function AlertDialogWindow({
  open,
  onClose,
  onConfirm,
  title,
  description,
  confirmLabel,
  cancelLabel,
  danger = false,
  busy = false,
  error,
}: AlertDialogProps) {
  const { t } = useTranslation();
  useModalLock(open);
  const returnFocus = useReturnFocus(open);
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <div aria-hidden className="animate-appear fixed inset-0 z-50 bg-black/50" />
        <div className="pointer-events-none fixed inset-0 z-50 grid items-end sm:place-items-center sm:p-4">
          <Primitive.Content
            onOpenAutoFocus={letFocusArrive}
            onCloseAutoFocus={returnFocus}
            aria-modal
            className="overlay-card animate-appear pointer-events-auto flex max-h-[92dvh] w-full flex-col rounded-b-none outline-none sm:max-w-md sm:rounded-b-card"
          >
            <Primitive.Title className="px-5 pt-5 pb-1 text-section font-semibold">
              {title}
            </Primitive.Title>
            <div
              data-dialog-body
              className="min-h-0 overflow-y-auto overscroll-contain rounded-b-[inherit]"
            >
              <div className="px-5 pt-1 pb-5">
                <Primitive.Description className="text-ui text-muted">
                  {description}
                </Primitive.Description>
                {error !== undefined && error !== null && <div className="mt-3">{error}</div>}
                <Actions>
                  <Primitive.Cancel asChild>
                    <Button look="secondary">{cancelLabel ?? t('ui.cancel')}</Button>
                  </Primitive.Cancel>
                  <Button look={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
                    {confirmLabel}
                  </Button>
                </Actions>
              </div>
            </div>
          </Primitive.Content>
        </div>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
