/** How a grid of times is painted: by a mouse or a finger that is drawn over it, or by keys. */
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { DAY_MINUTES, coverage, type Area, type WeekRow } from './week.ts';

interface Cell {
  readonly day: number;
  readonly slot: number;
}

/** From where the user began to where they are, and what becomes of it. */
interface Stroke {
  readonly begin: Cell;
  readonly end: Cell;
  readonly on: boolean;
}

export interface StrokesOptions {
  readonly rows: readonly WeekRow[];
  readonly slotMinutes: number;
  readonly onPaint: (area: Area, on: boolean) => void;
}

const areaOf = ({ begin, end }: Stroke, slotMinutes: number): Area => ({
  firstDay: Math.min(begin.day, end.day),
  lastDay: Math.max(begin.day, end.day),
  from: Math.min(begin.slot, end.slot) * slotMinutes,
  until: (Math.max(begin.slot, end.slot) + 1) * slotMinutes,
});

const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

/** More than there are of either. */
const all = 1000;

const steps: Readonly<Record<string, Cell>> = {
  ArrowLeft: { day: 0, slot: -1 },
  ArrowRight: { day: 0, slot: 1 },
  ArrowUp: { day: -1, slot: 0 },
  ArrowDown: { day: 1, slot: 0 },
  Home: { day: 0, slot: -all },
  End: { day: 0, slot: all },
  PageUp: { day: -all, slot: 0 },
  PageDown: { day: all, slot: 0 },
};

/** The cell under a pointer, or the one nearest to it. */
function cellAt(grid: HTMLElement, { clientX, clientY }: PointerEvent, slots: number): Cell {
  const cells = [...grid.querySelectorAll('td')];
  const first = cells[0]!.getBoundingClientRect();
  const last = cells.at(-1)!.getBoundingClientRect();
  const across = (clientX - first.left) / (last.right - first.left);
  const down = (clientY - first.top) / (last.bottom - first.top);
  return {
    day: clamp(Math.floor(down * 7) + 1, 1, 7),
    slot: clamp(Math.floor(across * slots), 0, slots - 1),
  };
}

function useStroke({ rows, slotMinutes, onPaint }: StrokesOptions) {
  // In minutes: a window that becomes narrow has fewer slots.
  const [place, setPlace] = useState({ day: 1, minute: 0 });
  const active = { day: place.day, slot: Math.floor(place.minute / slotMinutes) };
  const [stroke, setStroke] = useState<Stroke | null>(null);
  /** What is chosen throughout is taken away, anything else filled. */
  const turnsOn = ({ day, slot }: Cell): boolean =>
    coverage(rows, day, slot * slotMinutes, (slot + 1) * slotMinutes) !== 'all';
  return {
    active,
    stroke,
    area: stroke && areaOf(stroke, slotMinutes),
    go: ({ day, slot }: Cell) => setPlace({ day, minute: slot * slotMinutes }),
    begin: (cell: Cell, end: Cell = cell) => setStroke({ begin: cell, end, on: turnsOn(cell) }),
    forget: () => setStroke(null),
    finish: () => {
      setStroke(null);
      const done = stroke ?? { begin: active, end: active, on: turnsOn(active) };
      onPaint(areaOf(done, slotMinutes), done.on);
    },
  };
}

export function useStrokes(options: StrokesOptions) {
  const slots = DAY_MINUTES / options.slotMinutes;
  const grid = useRef<HTMLTableElement>(null);
  const { active, stroke, area, go, begin, forget, finish } = useStroke(options);
  const pointer = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const cell = cellAt(grid.current!, event, slots);
      go(cell);
      begin(cell);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (stroke === null || event.buttons === 0) return;
      const cell = cellAt(grid.current!, event, slots);
      go(cell);
      begin(stroke.begin, cell);
    },
    onPointerUp: () => {
      if (stroke !== null) finish();
    },
    // A finger that moves up or down scrolls.
    onPointerCancel: forget,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    const isDone = event.key === ' ' || event.key === 'Enter';
    if (step === undefined && !isDone) return;
    // The page would scroll.
    event.preventDefault();
    if (step === undefined) {
      finish();
      return;
    }
    const cell = {
      day: clamp(active.day + step.day, 1, 7),
      slot: clamp(active.slot + step.slot, 0, slots - 1),
    };
    go(cell);
    if (event.shiftKey) begin(stroke?.begin ?? active, cell);
    else forget();
  };
  return { grid, active, area, on: stroke?.on === true, handlers: { ...pointer, onKeyDown } };
}
