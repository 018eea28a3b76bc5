/**
 * The mask painters of one stream of a camera, from the camera's present zones; they change between two pictures,
 * without a pause. Zones are drawn on the main picture: on a stream that shows another part of it they are where that
 * part has them, and of a stream whose part is not known nothing is shown. Used in media hosts.
 */
import type { MediaCamera, MediaZone, PaintedFrame } from '../protocol/messages.ts';
import { MaskPainter, turnedBack, shapesOf, type MaskShapes } from './mask-painter.ts';
import { masksAmong, nameOfMasks } from './picture-place.ts';
import {
  hiddenShapes,
  samePicture,
  shapesOnPart,
  turnedPart,
  type StreamPart,
} from './stream-part.ts';

/** The painters of both streams of a camera. */
export interface StreamPainters {
  readonly main: CameraPainters;
  readonly sub: CameraPainters;
}

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
  #zones: readonly MediaZone[];
  #part: StreamPart | null;
  #painters: Painters;
  #steersMotion = false;
  #masks = '';

  /** `part`: what the stream shows of the main picture; null: that is not known. */
  constructor(
    rotation: MediaCamera['rotation'],
    zones: readonly MediaZone[],
    part: StreamPart | null = samePicture,
  ) {
    this.#rotation = rotation;
    this.#zones = zones;
    this.#part = part;
    this.#painters = paintersOf(zones, rotation, part);
    this.setZones(zones);
  }

  setZones(zones: readonly MediaZone[]): void {
    this.#zones = zones;
    this.#painters = paintersOf(zones, this.#rotation, this.#part);
    // What a sub-stream shows may be found to be otherwise: masks that were painted on it are not relied on.
    this.#masks = this.#part?.isMain ? nameOfMasks(masksAmong(zones)) : '';
    this.#steersMotion = zones.some(({ kind }) => kind !== 'privacy');
  }

  align(part: StreamPart | null): void {
    this.#part = part;
    this.setZones(this.#zones);
  }

  /** Whether zones can be placed on its pictures, or there are none. */
  get isPlaced(): boolean {
    return this.#part !== null || this.#zones.length === 0;
  }

  /** What its upright picture shows of the upright main picture; null: that is not known. */
  get uprightPart(): StreamPart | null {
    return this.#part && turnedPart(this.#part, this.#rotation);
  }

  /** How a frame that is painted now is turned, what was painted over it, and what it shows of the main picture. */
  get painted(): PaintedFrame {
    return { rotation: this.#rotation, masks: this.#masks, shows: this.uprightPart };
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

function paintersOf(
  zones: readonly MediaZone[],
  rotation: MediaCamera['rotation'],
  part: StreamPart | null,
): Painters {
  const drawn = shapesOf(zones);
  const on = (shapes: MaskShapes): MaskShapes => {
    if (part) return shapesOnPart(shapes, turnedPart(part, rotation));
    return shapes.hides.length + shapes.shows.length > 0 ? hiddenShapes : shapes;
  };
  const [seen, recognition, motion] = [on(drawn.seen), on(drawn.recognition), on(drawn.motion)];
  return {
    seen: new MaskPainter(seen),
    encoded: new MaskPainter(turnedBack(seen, rotation)),
    recognition: new MaskPainter(recognition),
    motion: new MaskPainter(turnedBack(motion, rotation)),
  };
}
