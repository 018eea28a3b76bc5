/** What is dragged over on a chart, from one place to another. A click is no drag. */
import { useState } from 'react';

export interface Drag {
  /** The first and the last place that are dragged over; null: none are. */
  readonly span: readonly [first: number, last: number] | null;
  readonly begin: (at: number) => void;
  readonly move: (at: number) => void;
  /** Ends at this place; returns what was dragged over, or null for a click. */
  readonly end: (at: number) => readonly [first: number, last: number] | null;
  readonly cancel: () => void;
}

export function useDrag(): Drag {
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const spanTo = (to: number): Drag['span'] =>
    drag === null || drag.from === to ? null : [Math.min(drag.from, to), Math.max(drag.from, to)];
  return {
    span: drag === null ? null : spanTo(drag.to),
    begin: (at) => setDrag({ from: at, to: at }),
    move: (at) => drag !== null && setDrag({ from: drag.from, to: at }),
    end: (at) => {
      setDrag(null);
      return spanTo(at);
    },
    cancel: () => setDrag(null),
  };
}
