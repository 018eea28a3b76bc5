/** Messages between the run and another engine, which runs in a process of its own. */
import type { Picture } from '../../../server/src/vision/picture.ts';
import type { SeenFace } from '../contestant.ts';

/** Processor time of the process, all its threads, and what the clock on the wall says. */
export interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

export type Question =
  | { readonly kind: 'detect'; readonly picture: Picture }
  /** The same, for its cost only. */
  | { readonly kind: 'cost'; readonly picture: Picture; readonly times: number }
  /** One pass of the recognition network alone. */
  | { readonly kind: 'embed'; readonly times: number }
  /** The nearest of `vectors`, by the engine's own search. */
  | { readonly kind: 'search'; readonly vectors: number; readonly times: number };

export type Answer =
  { readonly faces: readonly SeenFace[] } | { readonly cost: Cost } | { readonly error: string };
