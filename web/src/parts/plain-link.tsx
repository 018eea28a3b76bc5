import type { ComponentProps, MouseEvent } from 'react';
import { go, reach } from '#lib/address.ts';

const opensElsewhere = (event: MouseEvent): boolean =>
  event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;

/** A link between the pages before the sign-in, where there is no router. */
export function PlainLink({
  to,
  children,
  ...rest
}: { to: string } & Omit<ComponentProps<'a'>, 'href'>) {
  return (
    <a
      href={to}
      onPointerEnter={() => reach(to)}
      onFocus={() => reach(to)}
      onClick={(event) => {
        if (opensElsewhere(event)) return;
        event.preventDefault();
        go(to);
      }}
      {...rest}
    >
      {children}
    </a>
  );
}
