/** The veils over one camera's pictures, as its zones are drawn now: changed between two pictures, without a pause. */
import type { MediaCamera, MediaZone } from '../protocol/messages.ts';
import { Painter, turnedBack, veilsOf } from './mask-painter.ts';

interface Painters {
  /** Over what is shown, upright. */
  readonly seen: Painter;
  /** The same over what is encoded before it is turned. */
  readonly encoded: Painter;
  /** Over what those see who look for faces, upright. */
  readonly recognition: Painter;
  /** Over what is compared for the recorder, before it is turned. */
  readonly motion: Painter;
}

export class Veils {
  readonly #rotation: MediaCamera['rotation'];
  #painters: Painters;
  #steersMotion = false;

  constructor(rotation: MediaCamera['rotation'], zones: readonly MediaZone[]) {
    this.#rotation = rotation;
    this.#painters = paintersOf(zones, rotation);
    this.draw(zones);
  }

  draw(zones: readonly MediaZone[]): void {
    this.#painters = paintersOf(zones, this.#rotation);
    this.#steersMotion = zones.some(({ kind }) => kind !== 'privacy');
  }

  /** Whether what moves counts elsewhere for the recorder than for recognition: each compares for itself then. */
  get steersMotion(): boolean {
    return this.#steersMotion;
  }

  get seen(): Painter {
    return this.#painters.seen;
  }

  get encoded(): Painter {
    return this.#painters.encoded;
  }

  get recognition(): Painter {
    return this.#painters.recognition;
  }

  get motion(): Painter {
    return this.#painters.motion;
  }
}

function paintersOf(zones: readonly MediaZone[], rotation: MediaCamera['rotation']): Painters {
  const { seen, recognition, motion } = veilsOf(zones);
  return {
    seen: new Painter(seen),
    encoded: new Painter(turnedBack(seen, rotation)),
    recognition: new Painter(recognition),
    motion: new Painter(turnedBack(motion, rotation)),
  };
}
