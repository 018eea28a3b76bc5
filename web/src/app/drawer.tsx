import { Menu as MenuIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { useWasOpened } from '#ui/use-was-opened.ts';
import type { DrawerWindowProps } from './drawer-window.tsx';

const { Component: DrawerWindow, preload } = onDemand<DrawerWindowProps>(
  async () => (await import('./drawer-window.tsx')).DrawerWindow,
);

/** The sidebar on phones. */
export function Drawer() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const wasOpened = useWasOpened(open);
  return (
    <>
      <IconButton
        label={t('nav.menu')}
        tooltip={false}
        className="-ml-2 md:hidden"
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={() => void preload().catch(() => undefined)}
        onClick={() => setOpen(true)}
      >
        <MenuIcon aria-hidden />
      </IconButton>
      {wasOpened && <DrawerWindow open={open} onClose={() => setOpen(false)} />}
    </>
  );
}
