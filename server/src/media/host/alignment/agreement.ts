/** What several moments agree on: one moment alone may show something that appears similar elsewhere. Pure. */
import { isSamePart, type StreamPart } from '../../mask/stream-part.ts';

/** So many in a row, each edge of each as near to that of the others, in sides of the part. */
const moments = 3;
const agreesWithin = 0.01;

export class Agreement {
  #parts: StreamPart[] = [];

  /** Returns the part that the last moments agree on, or null. */
  add(part: StreamPart): StreamPart | null {
    const isAgreed = this.#parts.every((other) => isSamePart(other, part, agreesWithin));
    this.#parts = isAgreed ? [...this.#parts, part] : [part];
    return this.#parts.length < moments ? null : middleOf(this.#parts);
  }

  clear(): void {
    this.#parts = [];
  }
}

function middleOf(parts: readonly StreamPart[]): StreamPart {
  const middle = (of: (part: StreamPart) => number): number =>
    parts.map(of).toSorted((a, b) => a - b)[parts.length >> 1]!;
  const [x, y] = [middle((part) => part.x), middle((part) => part.y)];
  const [right, bottom] = [
    middle((part) => part.x + part.width),
    middle((part) => part.y + part.height),
  ];
  return { x, y, width: right - x, height: bottom - y };
}
