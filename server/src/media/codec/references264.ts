/**
 * Follows which pictures of H.264 a decoder keeps for others to refer to (ITU-T H.264, 8.2.4 and 8.2.5), in a group of
 * pictures whose leading pictures are left out. Each picture is known by its number in what the camera sent, and by the
 * one that it has without them.
 */
import type { Modification, ReferenceList, Slice } from './slice264.ts';

interface Picture {
  readonly sent: number;
  /** Null: it was left out. */
  readonly written: number | null;
}

/** The remainder that is not below 0. */
export const modulo = (value: number, by: number): number => ((value % by) + by) % by;

export class References {
  /** Reference pictures of a decoder that has everything since the key picture; the newest one last. */
  #kept: Picture[];
  readonly #numbers: number;
  readonly #most: number;

  /** `key`: the picture with which the group begins, which is number 0 from now on. */
  constructor({ frameNum, sets }: Slice) {
    this.#kept = [{ sent: frameNum, written: 0 }];
    this.#numbers = 2 ** sets.frameNumBits;
    this.#most = sets.kept;
  }

  /** Takes a picture that others refer to. */
  add({ frameNum: sent, forgets }: Slice, written: number | null): void {
    const gone = (forgets ?? []).map((distance) => this.#named(sent, distance));
    this.#kept = this.#kept.filter((one) => !gone.includes(one));
    if (this.#kept.length >= this.#most) this.#kept.shift();
    this.#kept.push({ sent, written });
  }

  /**
   * Whether each picture that is kept has the number that the camera gave it, where `shift` is added to those written.
   * As long as fewer are kept than may be, a decoder of the whole stream may keep some from before; a key picture ends
   * what refers to them.
   */
  areAsSent(shift: number, isKey: boolean): boolean {
    const isFull = this.#kept.length >= this.#most;
    return (
      (isFull || isKey) &&
      this.#kept.every(
        ({ sent, written }) => written !== null && this.#modulo(written + shift) === sent,
      )
    );
  }

  /** What to forget of what is there; null when nothing is named. */
  forgotten({ frameNum, forgets }: Slice, written: number): number[] | null {
    if (!forgets) return null;
    const known = forgets.flatMap((distance) => {
      const number = this.#named(frameNum, distance)?.written ?? null;
      return number === null ? [] : [this.#distance(written, number)];
    });
    return known.length > 0 ? known : null;
  }

  /** The lists of a slice, each place with the picture that it had; the key picture takes the place of one left out. */
  lists(slice: Slice, written: number): ReferenceList[] {
    return slice.lists.map(({ length, modifications }) => {
      const named = modifications && this.#followed(slice.frameNum, modifications);
      // What a B-picture has by itself is in the order of showing, where pictures that were left out come last.
      if (slice.kind === 'B' && !named) return { length, modifications };
      const all = this.#ordered(slice.frameNum, named ?? []).slice(0, length);
      const isWhole = all.every((one) => one !== null && one.written !== null);
      if (isWhole && !named) return { length, modifications };
      const places = isWhole || slice.kind === 'B' ? (named ?? []) : all;
      return { length, modifications: this.#commands(places, written) };
    });
  }

  #named(from: number, distance: number): Picture | null {
    const number = this.#modulo(from - distance);
    return this.#kept.find(({ sent }) => sent === number) ?? null;
  }

  /** The pictures that commands put into a list; null: one that is not known. */
  #followed(from: number, modifications: readonly Modification[]): (Picture | null)[] {
    let at = from;
    return modifications.map(({ isForward, distance }) => {
      at = this.#modulo(at + (isForward ? distance : -distance));
      return this.#named(at, 0);
    });
  }

  /** The list of a P-picture: what is named, then the others from the newest to the oldest. */
  #ordered(frameNum: number, named: readonly (Picture | null)[]): (Picture | null)[] {
    const others = this.#kept
      .filter((one) => !named.includes(one))
      .toSorted((a, b) => this.#distance(frameNum, a.sent) - this.#distance(frameNum, b.sent));
    return [...named, ...others];
  }

  #commands(places: readonly (Picture | null)[], written: number): Modification[] {
    let at = written;
    return places.map((one) => {
      const number = one?.written ?? 0;
      const back = this.#distance(at, number);
      at = number;
      // The same picture once more is as far back as there are numbers.
      return back <= this.#numbers / 2 || back === this.#numbers
        ? { isForward: false, distance: back }
        : { isForward: true, distance: this.#numbers - back };
    });
  }

  /** How far back a picture is: at least 1, because a distance of 0 can't be written. */
  #distance(from: number, to: number): number {
    return this.#modulo(from - to) || this.#numbers;
  }

  #modulo(number: number): number {
    return modulo(number, this.#numbers);
  }
}
