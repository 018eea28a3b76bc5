/**
 * The window of a dialog, over Radix without its overlay element: that one locks scrolling by a style tag, which the
 * content security policy forbids; `useModalLock` does it by a style attribute.
 */
import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { focusFirstField } from '#lib/first-field.ts';
import { scrollByKeys } from '#lib/scroll-by-keys.ts';
import { useTypedFields } from '#lib/typed-fields.ts';
import { Unsaved, UnsavedContext, useUnsaved } from '#lib/unsaved.ts';
import { useModalLock } from '#lib/use-modal-lock.ts';
import { useReturnFocus } from '#lib/use-return-focus.ts';
import { DiscardDialog } from './discard-dialog.tsx';
import { IconButton } from './icon-button.tsx';

export interface DialogProps {
  /** The focus returns to what opened it. */
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  width?: 'small' | 'medium' | 'large' | 'wide';
  children: ReactNode;
}

const widths = {
  small: 'sm:max-w-md',
  medium: 'sm:max-w-lg',
  large: 'sm:max-w-3xl',
  wide: 'sm:max-w-5xl',
};

/**
 * On phones it fills the bottom of the screen, elsewhere it floats. It opens with the focus in its first field. Its title and its `Actions` stay in sight, what is
 * between them scrolls. Escape, the backdrop and the Close button ask first where something was typed; a button of the
 * content that says what it does, does it.
 */
export function DialogWindow({
  open,
  onClose,
  title,
  description,
  width = 'medium',
  children,
}: DialogProps) {
  const { t } = useTranslation();
  useModalLock(open);
  const returnFocus = useReturnFocus(open);
  const typed = useTypedFields();
  const [unsaved] = useState(() => new Unsaved());
  const [isAsking, setIsAsking] = useState(false);
  const wouldLose = (): boolean => open && (typed.fields.isUnsaved || unsaved.is);
  useUnsaved(wouldLose);
  const leave = (): void => (wouldLose() ? setIsAsking(true) : onClose());
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && leave()}>
      <Primitive.Portal>
        <div aria-hidden className="animate-appear fixed inset-0 z-40 bg-black/50" />
        <div className="pointer-events-none fixed inset-0 z-40 grid items-end sm:place-items-center sm:p-4">
          <Primitive.Content
            onOpenAutoFocus={focusFirstField}
            onCloseAutoFocus={returnFocus}
            {...(description === undefined && { 'aria-describedby': undefined })}
            className={cx(
              'overlay-card animate-appear pointer-events-auto flex max-h-[92dvh] w-full flex-col rounded-b-none outline-none sm:rounded-b-card',
              widths[width],
            )}
          >
            <div className="flex items-start gap-4 px-5 pt-5 pb-3">
              <div className="grid flex-1 gap-1">
                <Primitive.Title className="text-section font-semibold">{title}</Primitive.Title>
                {description !== undefined && (
                  <Primitive.Description className="text-ui text-muted">
                    {description}
                  </Primitive.Description>
                )}
              </div>
              <Primitive.Close asChild>
                <IconButton label={t('ui.close')} small tooltip={false}>
                  <X aria-hidden />
                </IconButton>
              </Primitive.Close>
            </div>
            <div
              ref={scrollByKeys}
              data-dialog-body
              {...typed.handlers}
              className="min-h-0 scroll-pb-24 overflow-y-auto overscroll-contain rounded-b-[inherit]"
            >
              {/* Its padding is no part of what scrolls: a sticky footer would stay above it. */}
              <div className="px-5 pt-1 pb-5">
                <UnsavedContext value={unsaved}>{children}</UnsavedContext>
              </div>
            </div>
            <DiscardDialog
              open={isAsking}
              onKeep={() => setIsAsking(false)}
              onDiscard={() => {
                setIsAsking(false);
                onClose();
              }}
            />
          </Primitive.Content>
        </div>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
