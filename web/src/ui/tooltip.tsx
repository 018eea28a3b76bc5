import { cloneElement, useEffect, useId, useRef, useState, type ReactElement } from 'react';
import { cx } from '#lib/class-names.ts';

type Side = 'top' | 'right' | 'bottom' | 'left';

export interface TooltipProps {
  text: string;
  side?: Side;
  /** One element that can take focus. */
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>;
}

/** Who only passes by with the pointer sees nothing. */
const DELAY_MS = 400;
/** Between the bubble and the edge of the screen, in pixels. */
const MARGIN = 8;

/** Where the bubble's own edge lies at the anchor; padding bridges the way there, so that the pointer can follow. */
const sides: Record<Side, { at: (box: DOMRect) => [number, number]; look: string }> = {
  top: {
    at: (box) => [box.left + box.width / 2, box.top],
    look: '-translate-x-1/2 -translate-y-full pb-1.5',
  },
  bottom: { at: (box) => [box.left + box.width / 2, box.bottom], look: '-translate-x-1/2 pt-1.5' },
  left: {
    at: (box) => [box.left, box.top + box.height / 2],
    look: '-translate-x-full -translate-y-1/2 pr-1.5',
  },
  right: { at: (box) => [box.right, box.top + box.height / 2], look: '-translate-y-1/2 pl-1.5' },
};

/** Moves what would stand beyond the left or right edge back into the screen. */
function keepInside(bubble: HTMLElement): void {
  const { left, right } = bubble.getBoundingClientRect();
  const shift = Math.max(0, MARGIN - left) - Math.max(0, right - (innerWidth - MARGIN));
  if (shift !== 0) bubble.style.marginLeft = `${shift}px`;
}

interface BubbleProps {
  id: string;
  text: string;
  side: Side;
  anchor: DOMRect;
}

function Bubble({ id, text, side, anchor }: BubbleProps) {
  const bubble = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = bubble.current;
    if (element === null) return;
    // Above everything, whatever it lies in; an older browser shows it where it stands.
    if ('showPopover' in element) element.showPopover();
    keepInside(element);
  }, []);
  const { at, look } = sides[side];
  const [left, top] = at(anchor);
  return (
    <span
      ref={bubble}
      popover="manual"
      className={cx(
        'fixed inset-auto z-50 m-0 block overflow-visible border-0 bg-transparent p-0',
        look,
      )}
      style={{ left, top }}
    >
      <span
        id={id}
        role="tooltip"
        className="animate-appear block w-max max-w-64 rounded-md bg-fg px-2 py-1 text-meta font-medium text-bg"
      >
        {text}
      </span>
    </span>
  );
}

/** Closes what is open with Escape, before anything around it receives the key. */
function useEscape(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const hear = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      close();
    };
    document.addEventListener('keydown', hear, true);
    return () => document.removeEventListener('keydown', hear, true);
  });
}

/** Repeats or adds to a visible or spoken name; never the only place something is said. */
export function Tooltip({ text, side = 'bottom', children }: TooltipProps) {
  const id = useId();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [anchor, setAnchor] = useState<DOMRect | null>(null);
  const hide = (): void => {
    clearTimeout(timer.current);
    setAnchor(null);
  };
  const show = (around: HTMLElement): void => {
    const box = around.firstElementChild?.getBoundingClientRect();
    if (box !== undefined) setAnchor(box);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEscape(anchor !== null, hide);
  return (
    <span
      className="contents"
      onPointerEnter={({ currentTarget, pointerType }) => {
        if (pointerType !== 'touch') timer.current = setTimeout(show, DELAY_MS, currentTarget);
      }}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={({ currentTarget, target }) => {
        if (target.matches(':focus-visible')) show(currentTarget);
      }}
      onBlur={hide}
    >
      {cloneElement(children, { 'aria-describedby': anchor === null ? undefined : id })}
      {anchor !== null && <Bubble id={id} text={text} side={side} anchor={anchor} />}
    </span>
  );
}
