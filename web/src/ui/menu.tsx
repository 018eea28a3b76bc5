/**
 * Menus. Their code loads when a user reaches for the first one (25 kB compressed, most of it places the menu on the
 * screen); until then there is only the button.
 */
import { cloneElement, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { MenuChoiceProps, MenuItemProps, MenuProps } from './menu-parts.tsx';

type Parts = typeof import('./menu-parts.tsx');

let parts: Parts | null = null;
const load = async (): Promise<void> => {
  parts ??= await import('./menu-parts.tsx');
};

/** What lies in a menu is drawn when it is open, and open it is only once its code is here. */
function loaded(): Parts {
  if (parts === null) throw new Error('a part of a menu stands outside of one');
  return parts;
}

const preload = (): void => void load().catch(() => undefined);

const opensWith: ReadonlySet<string> = new Set(['ArrowDown', 'Enter', ' ']);

export function Menu({ trigger, ...rest }: MenuProps) {
  const [isReached, setReached] = useState(false);
  if (isReached) {
    const { Menu: Opened } = loaded();
    return <Opened trigger={trigger} {...rest} />;
  }
  const open = (): void => void load().then(() => setReached(true));
  return cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: open,
    onKeyDown: (event: KeyboardEvent) => {
      if (!opensWith.has(event.key)) return;
      event.preventDefault();
      open();
    },
  });
}

export function MenuItem(props: MenuItemProps) {
  const { MenuItem: Item } = loaded();
  return <Item {...props} />;
}

/** An item that is a link: give one `<Link>` as child. */
export function MenuLink(props: { children: ReactNode }) {
  const { MenuLink: Item } = loaded();
  return <Item {...props} />;
}

/** One of several, with a tick at the current one. */
export function MenuChoice<T extends string>(props: MenuChoiceProps<T>) {
  const { MenuChoice: Choice } = loaded();
  return <Choice {...props} />;
}

export function MenuSeparator() {
  const { MenuSeparator: Separator } = loaded();
  return <Separator />;
}

/** Text at the head of a menu that cannot be chosen. */
export function MenuLabel(props: { children: ReactNode }) {
  const { MenuLabel: Label } = loaded();
  return <Label {...props} />;
}
