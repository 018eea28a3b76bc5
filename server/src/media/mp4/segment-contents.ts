/**
 * Reads what a file of a recording holds. Everything in its row of the index can be read from the file again, so that an
 * index can be rebuilt from files, and a file that a crash left behind can be identified. A file is as long as its camera
 * sends no key frame, so it is read piece by piece: at most a picture and a piece of it are in memory.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ticksPerSecond } from '../codec/ticks.ts';
import type { KeyFrame, MotionSpan, SegmentHead, StillMark } from '../protocol/segments.ts';
import { pictureOf } from './picture-times.ts';
import { headIn, stillIn, tailIn } from './segment-file.ts';
import { kindOf, Units } from './units.ts';

export interface SegmentContents {
  readonly head: SegmentHead;
  /** The bytes before the first fragment. */
  readonly headBytes: number;
  /** The bytes of everything that is complete; a torn fragment may follow. */
  readonly bytes: number;
  readonly keyFrames: readonly KeyFrame[];
  readonly pictures: number;
  readonly durationMs: number;
  /** Null: its frames were not compared, or its writer crashed. */
  readonly motion: readonly MotionSpan[] | null;
  /** Where, in base64; null together with `motion`, and in files from before there were grids. */
  readonly grid: string | null;
  /** Null: it has none, or its writer crashed. */
  readonly still: StillMark | null;
  /** The hash of those bytes, hexadecimal. */
  readonly sha256: string;
}

/** Null for a file that is not a segment of ours, or holds no complete picture. */
export const readSegment = async (path: string): Promise<SegmentContents | null> =>
  contentsOf(await readFile(path));

/** Null for what is not a segment of ours, or holds no complete picture. */
export function contentsOf(data: Buffer): SegmentContents | null {
  const scan = new SegmentScan();
  scan.add(data);
  return scan.contents();
}

/** The same of a file that is read piece by piece. */
export async function contentsIn(pieces: AsyncIterable<Buffer>): Promise<SegmentContents | null> {
  const scan = new SegmentScan();
  for await (const piece of pieces) {
    scan.add(piece);
    if (scan.isOver) break;
  }
  return scan.contents();
}

class SegmentScan {
  readonly #units = new Units();
  readonly #hash = createHash('sha256');
  /** Boxes that count only if something complete follows. */
  #unhashed: Buffer[] = [];
  #at = 0;
  #head: SegmentHead | null = null;
  #headBytes = 0;
  #bytes = 0;
  readonly #keyFrames: KeyFrame[] = [];
  #pictures = 0;
  #firstTicks: number | null = null;
  #endTicks = 0;
  #motion: readonly MotionSpan[] | null = null;
  #grid: string | null = null;
  #still: StillMark | null = null;
  #isOver = false;

  /** Whether what follows is of no use any more: the file is torn here. */
  get isOver(): boolean {
    return this.#isOver || this.#units.isBroken;
  }

  add(piece: Buffer): void {
    this.#units.add(piece);
    for (let unit = this.#units.next(); unit && !this.#isOver; unit = this.#units.next()) {
      this.#take(unit);
    }
  }

  contents(): SegmentContents | null {
    const [head, firstTicks] = [this.#head, this.#firstTicks];
    if (!head || firstTicks === null) return null;
    return {
      head,
      headBytes: this.#headBytes,
      bytes: this.#bytes,
      keyFrames: this.#keyFrames,
      pictures: this.#pictures,
      durationMs: ms(this.#endTicks - firstTicks),
      motion: this.#motion,
      grid: this.#grid,
      still: this.#still,
      sha256: this.#hash.digest('hex'),
    };
  }

  #take(unit: Buffer): void {
    this.#unhashed.push(unit);
    const kind = kindOf(unit);
    const isWhole =
      kind === 'moof'
        ? this.#takeFragment(unit)
        : kind === 'uuid' && this.#takeOwn(unit.subarray(8));
    this.#at += unit.length;
    if (!isWhole) return;
    this.#bytes = this.#at;
    for (const one of this.#unhashed.splice(0)) this.#hash.update(one);
  }

  /** Returns whether the file counts up to its end. */
  #takeOwn(content: Buffer): boolean {
    this.#head ??= headIn(content);
    const tail = tailIn(content);
    if (tail) {
      this.#motion = tail.motion;
      this.#grid = tail.grid ?? null;
    }
    const still = stillIn(content);
    this.#still = still ?? this.#still;
    return tail !== null || still !== null;
  }

  #takeFragment(fragment: Buffer): boolean {
    const picture = pictureOf(fragment.subarray(0, fragment.readUInt32BE(0)));
    if (!picture) {
      this.#isOver = true;
      return false;
    }
    const first = (this.#firstTicks ??= picture.decodeTicks);
    if (this.#pictures === 0) this.#headBytes = this.#at;
    if (picture.key) {
      this.#keyFrames.push({ offset: this.#at, atMs: ms(picture.shownTicks - first) });
    }
    this.#pictures += 1;
    this.#endTicks = picture.decodeTicks + picture.durationTicks;
    return true;
  }
}

const ms = (ticks: number): number => Math.round((ticks * 1000) / ticksPerSecond);
