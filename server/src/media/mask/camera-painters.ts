/** The painters over one camera's pictures, as its zones are drawn now: changed between two pictures, without a pause. */
import type { MediaCamera, MediaZone } from '../protocol/messages.ts';
import { MaskPainter, turnedBack, shapesOf } from './mask-painter.ts';

interface Painters {
  /** Over what is shown, upright. */
  readonly seen: MaskPainter;
  /** The same over what is encoded before it is turned. */
  readonly encoded: MaskPainter;
  /** Over what the detector sees, upright. */
  readonly recognition: MaskPainter;
  /** Over what is compared for the recorder, before it is turned. */
  readonly motion: MaskPainter;
}

export class CameraPainters {
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

  get seen(): MaskPainter {
    return this.#painters.seen;
  }

  get encoded(): MaskPainter {
    return this.#painters.encoded;
  }

  get recognition(): MaskPainter {
    return this.#painters.recognition;
  }

  get motion(): MaskPainter {
    return this.#painters.motion;
  }
}

function paintersOf(zones: readonly MediaZone[], rotation: MediaCamera['rotation']): Painters {
  const { seen, recognition, motion } = shapesOf(zones);
  return {
    seen: new MaskPainter(seen),
    encoded: new MaskPainter(turnedBack(seen, rotation)),
    recognition: new MaskPainter(recognition),
    motion: new MaskPainter(turnedBack(motion, rotation)),
  };
}
