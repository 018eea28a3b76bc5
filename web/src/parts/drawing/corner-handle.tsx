import type { KeyboardEvent, PointerEvent } from 'react';
import type { Corner } from './corners.ts';

export interface CornerHandleProps {
  /** Says which corner it is, and where. */
  label: string;
  corner: Corner;
  /** How far an arrow key moves it, as a fraction of the picture; with Shift five times as far. */
  step?: number;
  /** Where on the picture a pointer is; null: the picture has no size yet. */
  place: (event: PointerEvent) => Corner | null;
  onMove: (to: Corner) => void;
  /** Absent: the shape keeps its number of corners. */
  onAdd?: (() => void) | undefined;
  onRemove?: (() => void) | undefined;
}

const stepsWithShift = 5;
const arrows: Readonly<Record<string, Corner>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A corner that is moved by pointer and by keys. */
export function CornerHandle(props: CornerHandleProps) {
  const { label, corner, step = 0.01, place, onMove, onAdd, onRemove } = props;
  const [x, y] = corner;
  const key = (event: KeyboardEvent): void => {
    const arrow = arrows[event.key];
    const by = event.shiftKey ? stepsWithShift * step : step;
    if (arrow) onMove([x + arrow[0] * by, y + arrow[1] * by]);
    else if (event.key === 'Delete' || event.key === 'Backspace') onRemove?.();
    else if (event.key === 'Insert' || event.key === '+') onAdd?.();
    else return;
    event.preventDefault();
  };
  const drag = (event: PointerEvent<HTMLButtonElement>): void => {
    const to = place(event);
    if (event.currentTarget.hasPointerCapture(event.pointerId) && to !== null) onMove(to);
  };
  return (
    <button
      type="button"
      aria-label={label}
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      className="absolute size-4 -translate-x-1/2 -translate-y-1/2 cursor-move touch-none rounded-full border-2 border-white bg-primary shadow-card"
      onKeyDown={key}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      onDoubleClick={onAdd}
    />
  );
}
