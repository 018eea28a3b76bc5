import { Menu as MenuIcon } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useModalLock } from '#lib/use-modal-lock.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Sidebar } from './sidebar.tsx';

/** The sidebar on phones. */
export function Drawer() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  useModalLock(open);
  return (
    <Primitive.Root open={open} onOpenChange={setOpen}>
      <Primitive.Trigger asChild>
        <IconButton label={t('nav.menu')} tooltip={false} className="-ml-2 md:hidden">
          <MenuIcon aria-hidden />
        </IconButton>
      </Primitive.Trigger>
      <Primitive.Portal>
        <div aria-hidden className="animate-appear fixed inset-0 z-40 bg-black/50" />
        <Primitive.Content
          aria-describedby={undefined}
          className="animate-slide fixed inset-y-0 left-0 z-40 w-[280px] max-w-[85vw] border-r border-line bg-surface outline-none"
        >
          <Primitive.Title className="sr-only">{t('nav.menu')}</Primitive.Title>
          <Sidebar onNavigate={() => setOpen(false)} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
