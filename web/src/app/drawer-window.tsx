import { Dialog as Primitive } from 'radix-ui';
import { useTranslation } from '#lib/i18n.ts';
import { letFocusArrive } from '#lib/let-focus-arrive.ts';
import { useModalLock } from '#lib/use-modal-lock.ts';
import { useReturnFocus } from '#lib/use-return-focus.ts';
import { Sidebar } from './sidebar.tsx';

export interface DrawerWindowProps {
  open: boolean;
  onClose: () => void;
}

export function DrawerWindow({ open, onClose }: DrawerWindowProps) {
  const { t } = useTranslation();
  useModalLock(open);
  const returnFocus = useReturnFocus(open);
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <div aria-hidden className="animate-appear fixed inset-0 z-40 bg-black/50" />
        <Primitive.Content
          aria-describedby={undefined}
          onOpenAutoFocus={letFocusArrive}
          onCloseAutoFocus={returnFocus}
          className="animate-slide fixed inset-y-0 left-0 z-40 w-[280px] max-w-[85vw] border-r border-line bg-surface outline-none"
        >
          <Primitive.Title className="sr-only">{t('nav.menu')}</Primitive.Title>
          <Sidebar onNavigate={onClose} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
