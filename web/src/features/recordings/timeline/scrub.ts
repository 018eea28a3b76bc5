/**
 * What a timeline drags to and its players show: the moment and the stills of each camera. A page makes one and hands
 * it to both; playing goes on below it.
 */
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { signal, type Signal } from '#lib/signal.ts';
import type { RecordedPlayback } from '#parts/player/recorded/recorded-playback.ts';
import { StillSet, type KeptStill } from './still-set.ts';

/** A still does not stay longer than this over a picture that does not come. */
const longestMs = 4000;

export class Scrub implements Disposable {
  /** Null: the reader isn't dragging. */
  readonly moment: Signal<number | null> = signal<number | null>(null);
  readonly #stills = new Map<string, StillSet>();
  #stop: (() => void) | null = null;

  stillsOf(cameraId: string): StillSet {
    const found = this.#stills.get(cameraId) ?? new StillSet();
    this.#stills.set(cameraId, found);
    return found;
  }

  to(ms: number): void {
    this.#stop?.();
    this.moment.set(ms);
  }

  /** It was sought: the still gives way to the picture when that is here. */
  settle({ state }: Pick<RecordedPlayback, 'state'>): void {
    this.#stop?.();
    const look = (): void => {
      if (state.get().kind !== 'loading') this.end();
    };
    const unsubscribe = state.subscribe(look);
    const timer = setTimeout(() => this.end(), longestMs);
    this.#stop = () => {
      clearTimeout(timer);
      unsubscribe();
      this.#stop = null;
    };
    look();
  }

  end(): void {
    this.#stop?.();
    this.moment.set(null);
  }

  [Symbol.dispose](): void {
    this.end();
  }
}

export function useScrub(): Scrub {
  const scrub = useMemo(() => new Scrub(), []);
  useEffect(() => () => scrub[Symbol.dispose](), [scrub]);
  return scrub;
}

/** The nearest still that is at hand; another one when a nearer comes. */
export function useStillAt(stills: StillSet, ms: number | null): KeptStill | null {
  return useSyncExternalStore(stills.subscribe, () => (ms === null ? null : stills.at(ms)));
}
