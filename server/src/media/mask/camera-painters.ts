/**
 * The mask painters of one camera, from its present zones; they change between two pictures, without a pause. Used in
 * media hosts.
 */
import type { MediaCamera, MediaZone, Painted } from '../protocol/messages.ts';
import { maskKey } from './mask-key.ts';
import { MaskPainter, turnedBack, shapesOf } from './mask-painter.ts';
import { masksAmong, nameOfMasks } from './picture-place.ts';

interface Painters {
  /** Paints over what viewers see, upright. */
  readonly seen: MaskPainter;
  /** Paints the same over what is encoded, before it is turned. */
  readonly encoded: MaskPainter;
  /** Paints over what the face detector sees, upright. */
  readonly recognition: MaskPainter;
  /** Paints over what is compared for the recorder, before it is turned. */
  readonly motion: MaskPainter;
}

export class CameraPainters {
  readonly #rotation: MediaCamera['rotation'];
  #painters: Painters;
  #steersMotion = false;
  #maskKey = '';
  #masks = '';

  constructor(rotation: MediaCamera['rotation'], zones: readonly MediaZone[]) {
    this.#rotation = rotation;
    this.#painters = paintersOf(zones, rotation);
    this.draw(zones);
  }

  draw(zones: readonly MediaZone[]): void {
    this.#painters = paintersOf(zones, this.#rotation);
    this.#maskKey = maskKey(zones);
    this.#masks = nameOfMasks(masksAmong(zones));
    this.#steersMotion = zones.some(({ kind }) => kind !== 'privacy');
  }

  /** Names the privacy masks of now. */
  get maskKey(): string {
    return this.#maskKey;
  }

  /** How a frame that is painted now is turned and what was painted over it. */
  get painted(): Painted {
    return { rotation: this.#rotation, masks: this.#masks };
  }

  /** Whether motion counts in other places for the recorder than for recognition; then each compares for itself. */
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
