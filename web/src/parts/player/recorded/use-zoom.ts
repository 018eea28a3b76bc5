/** Zoom of a picture by wheel, by two fingers and by dragging. A click that moved nothing is passed to `onClick`. */
import { useEffect, useRef, useState, type RefObject } from 'react';
import { panned, whole, zoomedAt, type Point, type Zoom } from './zoom.ts';

/** A notch of a wheel is 100 or 120 of its units: a fifth larger. */
const perUnit = 1.0018;
/** Fingers tremble: less than this is no drag, in pixels. */
const leastDragPx = 5;

export interface PictureZoom {
  readonly zoom: Zoom;
  readonly setZoom: (change: (zoom: Zoom) => Zoom) => void;
}

function placeIn(frame: HTMLElement, { clientX, clientY }: MouseEvent): Point {
  const { left, top, width, height } = frame.getBoundingClientRect();
  return { x: (clientX - left) / (width || 1), y: (clientY - top) / (height || 1) };
}

const middle = (one: Point, other: Point): Point => ({
  x: (one.x + other.x) / 2,
  y: (one.y + other.y) / 2,
});
const distance = (one: Point, other: Point): number =>
  Math.hypot(one.x - other.x, one.y - other.y) || 1;

type PointerName = 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel';
type Change = (change: (zoom: Zoom) => Zoom) => void;

/** The fingers on one frame. */
class Fingers {
  readonly #frame: HTMLElement;
  readonly #change: Change;
  readonly #down = new Map<number, Point>();
  /** Where each was, in pixels: not every browser says how far a finger moved. */
  readonly #px = new Map<number, Point>();
  #movedPx = 0;

  constructor(frame: HTMLElement, change: Change) {
    this.#frame = frame;
    this.#change = change;
  }

  put(event: PointerEvent): void {
    if (this.#down.size === 0) this.#movedPx = 0;
    this.#down.set(event.pointerId, placeIn(this.#frame, event));
    this.#px.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#frame.setPointerCapture(event.pointerId);
  }

  move(event: PointerEvent): void {
    const before = this.#down.get(event.pointerId);
    if (before === undefined) return;
    const now = placeIn(this.#frame, event);
    this.#count(event);
    const [other] = [...this.#down].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    this.#down.set(event.pointerId, now);
    if (other === undefined) {
      this.#change((zoom) => panned(zoom, { x: now.x - before.x, y: now.y - before.y }));
      return;
    }
    const [from, to] = [middle(before, other), middle(now, other)];
    const factor = distance(now, other) / distance(before, other);
    this.#change((zoom) =>
      panned(zoomedAt(zoom, factor, from), { x: to.x - from.x, y: to.y - from.y }),
    );
  }

  #count({ pointerId, clientX, clientY }: PointerEvent): void {
    const before = this.#px.get(pointerId);
    if (before !== undefined) {
      this.#movedPx += Math.abs(clientX - before.x) + Math.abs(clientY - before.y);
    }
    this.#px.set(pointerId, { x: clientX, y: clientY });
  }

  /** Returns whether it was a click. */
  lift({ pointerId, type }: PointerEvent): boolean {
    this.#px.delete(pointerId);
    const wasAlone = this.#down.delete(pointerId) && this.#down.size === 0;
    return wasAlone && type === 'pointerup' && this.#movedPx < leastDragPx;
  }
}

/**
 * One finger scrolls the page while the picture is whole (`touch-action: pan-y`). Two that move up and down would
 * scroll it, too, and the browser would take their pointers away in the middle of a pinch.
 */
function keepPinch(event: TouchEvent): void {
  if (event.touches.length > 1 && event.cancelable) event.preventDefault();
}

export function useZoom(frame: RefObject<HTMLElement | null>, onClick: () => void): PictureZoom {
  const [zoom, setZoom] = useState(whole);
  const click = useRef(onClick);
  useEffect(() => {
    click.current = onClick;
  }, [onClick]);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const end = new AbortController();
    const fingers = new Fingers(element, setZoom);
    const on = (name: PointerName, work: (event: PointerEvent) => void): void =>
      element.addEventListener(name, work, { signal: end.signal });
    on('pointerdown', (event) => {
      // A button over the picture would not be clicked: events of a captured pointer go to the frame alone.
      const isControl = (event.target as Element).closest('button, a, input, [role=slider]');
      if (event.button === 0 && isControl === null) fingers.put(event);
    });
    for (const name of ['touchstart', 'touchmove'] as const) {
      element.addEventListener(name, keepPinch, { signal: end.signal, passive: false });
    }
    on('pointermove', (event) => fingers.move(event));
    on('pointerup', (event) => {
      if (fingers.lift(event)) click.current();
    });
    on('pointercancel', (event) => void fingers.lift(event));
    const wheel = (event: WheelEvent): void => {
      const factor = perUnit ** -event.deltaY;
      setZoom((now) => {
        const next = zoomedAt(now, factor, placeIn(element, event));
        return next.scale === now.scale ? now : next;
      });
      // The page scrolls on where there is nothing to make smaller.
      if (event.deltaY < 0 || element.dataset['zoomed'] === 'true') event.preventDefault();
    };
    element.addEventListener('wheel', wheel, { signal: end.signal, passive: false });
    return () => end.abort();
  }, [frame]);
  return { zoom, setZoom };
}
