/**
 * Pointers and the wheel on a timeline. The wheel zooms, with Shift or sideways it pans. A drag of the ruler or of the
 * playhead scrubs, any other pans, a press without a way seeks; two fingers zoom. It knows nothing of what is drawn.
 */
import type { Signal } from '#lib/signal.ts';
import { rulerPx } from './layout.ts';
import { momentAt, panned, shareOf, zoomed, lengthOf, type TimelineView } from './timeline-view.ts';

export interface Pointed {
  readonly ms: number;
  /** From the upper left corner, in CSS pixels. */
  readonly xPx: number;
  readonly yPx: number;
}

export interface GestureOptions {
  readonly view: Signal<TimelineView>;
  /** The playhead's moment; null: it is nowhere. */
  readonly headMs: () => number | null;
  readonly now: () => number;
  readonly onSeek: (ms: number) => void;
  /** Each moment that is dragged to. */
  readonly onScrub: (ms: number) => void;
  /** Null: it was called off, and nothing is sought. */
  readonly onScrubbed: (ms: number | null) => void;
  readonly onPoint: (pointed: Pointed | null) => void;
}

/** A press that moves by less is no drag. */
const stillPx = 4;
/** So near to the playhead a pointer has it, and a finger. */
const headPx = 7;
const fingerPx = 18;
/** A notch of a mouse wheel is 100 or 120. */
const zoomPerPx = 1 / 400;
/** Two fingers on a touchpad come as a wheel with Ctrl, by a few pixels at a time. */
const pinchPerPx = 1 / 100;
/** However far it was turned at once; as the exponent of e. */
const mostZoom = 0.6;
const linePx = 16;

interface Finger {
  readonly startX: number;
  x: number;
}
type Doing = 'press' | 'pan' | 'scrub' | 'pinch';

export class Gestures implements Disposable {
  readonly #track: HTMLElement;
  readonly #options: GestureOptions;
  readonly #fingers = new Map<number, Finger>();
  readonly #ends = new AbortController();
  #doing: Doing = 'press';

  constructor(track: HTMLElement, options: GestureOptions) {
    this.#track = track;
    this.#options = options;
    const { signal } = this.#ends;
    track.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
    track.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    track.addEventListener('pointermove', (event) => this.#move(event), { signal });
    track.addEventListener('pointerup', (event) => this.#up(event), { signal });
    track.addEventListener('pointercancel', (event) => this.#cancel(event), { signal });
    track.addEventListener('pointerleave', () => this.#options.onPoint(null), { signal });
  }

  [Symbol.dispose](): void {
    this.#ends.abort();
  }

  get isBusy(): boolean {
    return this.#fingers.size > 0;
  }

  #place({ clientX, clientY }: MouseEvent): Pointed & { readonly widthPx: number } {
    const box = this.#track.getBoundingClientRect();
    const widthPx = Math.max(1, box.width);
    const xPx = Math.min(widthPx, Math.max(0, clientX - box.left));
    const ms = momentAt(this.#options.view.get(), xPx / widthPx);
    return { ms, xPx, yPx: clientY - box.top, widthPx };
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const { view, now } = this.#options;
    const place = this.#place(event);
    const unit = event.deltaMode === 0 ? 1 : linePx;
    const [x, y] = [event.deltaX * unit, event.deltaY * unit];
    const isSideways = event.shiftKey || Math.abs(x) > Math.abs(y);
    if (isSideways) {
      const byPx = Math.abs(x) > Math.abs(y) ? x : y;
      view.set(panned(view.get(), (byPx / place.widthPx) * lengthOf(view.get()), now()));
    } else {
      const by = -y * (event.ctrlKey ? pinchPerPx : zoomPerPx);
      const factor = Math.exp(Math.min(mostZoom, Math.max(-mostZoom, by)));
      view.set(zoomed(view.get(), factor, place.ms, now()));
    }
    this.#options.onPoint(this.#place(event));
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#track.setPointerCapture?.(event.pointerId);
    const { xPx, yPx, ms, widthPx } = this.#place(event);
    this.#fingers.set(event.pointerId, { startX: xPx, x: xPx });
    if (this.#fingers.size > 1) {
      if (this.#doing === 'scrub') this.#options.onScrubbed(null);
      this.#doing = 'pinch';
      return;
    }
    const headMs = this.#options.headMs();
    const awayPx =
      headMs === null ? Infinity : shareOf(this.#options.view.get(), headMs) * widthPx - xPx;
    const isHead = Math.abs(awayPx) <= (event.pointerType === 'touch' ? fingerPx : headPx);
    this.#doing = yPx < rulerPx || isHead ? 'scrub' : 'press';
    if (this.#doing === 'scrub') this.#options.onScrub(ms);
  }

  #move(event: PointerEvent): void {
    const place = this.#place(event);
    const finger = this.#fingers.get(event.pointerId);
    if (finger === undefined) {
      if (event.pointerType !== 'touch') this.#options.onPoint(place);
      return;
    }
    if (this.#doing === 'pinch') {
      this.#pinch(finger, place.xPx, place.widthPx);
      return;
    }
    if (this.#doing === 'scrub') {
      this.#options.onScrub(place.ms);
      this.#options.onPoint(place);
    } else if (this.#doing === 'pan' || Math.abs(place.xPx - finger.startX) > stillPx) {
      this.#doing = 'pan';
      this.#options.onPoint(null);
      this.#pan(finger.x - place.xPx, place.widthPx);
    }
    // What was not panned yet counts from where it began.
    if (this.#doing !== 'press') finger.x = place.xPx;
  }

  #pan(byPx: number, widthPx: number): void {
    const { view, now } = this.#options;
    view.set(panned(view.get(), (byPx / widthPx) * lengthOf(view.get()), now()));
  }

  #pinch(finger: Finger, xPx: number, widthPx: number): void {
    const { view, now } = this.#options;
    const other = [...this.#fingers.values()].find((one) => one !== finger);
    if (other === undefined) return;
    const leastPx = 10;
    const before = Math.max(leastPx, Math.abs(finger.x - other.x));
    const after = Math.max(leastPx, Math.abs(xPx - other.x));
    const aroundMs = momentAt(view.get(), other.x / widthPx);
    finger.x = xPx;
    view.set(zoomed(view.get(), after / before, aroundMs, now()));
  }

  #up(event: PointerEvent): void {
    if (!this.#fingers.delete(event.pointerId)) return;
    const { ms } = this.#place(event);
    if (this.#fingers.size > 0) return;
    // A finger that is lifted points at nothing.
    if (event.pointerType === 'touch') this.#options.onPoint(null);
    if (this.#doing === 'scrub') this.#options.onScrubbed(ms);
    if (this.#doing === 'press') this.#options.onSeek(ms);
  }

  #cancel(event: PointerEvent): void {
    if (!this.#fingers.delete(event.pointerId)) return;
    this.#options.onPoint(null);
    if (this.#doing === 'scrub') this.#options.onScrubbed(null);
    if (this.#fingers.size === 0) this.#doing = 'press';
  }
}
