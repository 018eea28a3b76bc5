import { Tooltip as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

export interface TooltipProps {
  text: string;
  side?: 'top' | 'right' | 'bottom' | 'left';
  /** One element that can take focus. */
  children: ReactNode;
}

/** Repeats or adds to a visible or spoken name; never the only place something is said. */
export function Tooltip({ text, side = 'bottom', children }: TooltipProps) {
  return (
    <Primitive.Provider delayDuration={400}>
      <Primitive.Root>
        <Primitive.Trigger asChild>{children}</Primitive.Trigger>
        <Primitive.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="animate-appear z-50 max-w-64 rounded-md bg-fg px-2 py-1 text-meta font-medium text-bg"
        >
          {text}
        </Primitive.Content>
      </Primitive.Root>
    </Primitive.Provider>
  );
}
