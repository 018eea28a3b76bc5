/**
 * What the sub-stream of one camera shows of its main picture, as far as that is known of the pair of streams that
 * comes now. The painters of the sub-stream follow it. While it is not known, no zone can be placed on the
 * sub-stream's pictures.
 */
import type { StreamName } from '@nazar/contract/cameras.ts';
import type { Size } from '#lib/geometry.ts';
import type { CameraPainters } from '../../mask/camera-painters.ts';
import { isSamePart, type StreamPart } from '../../mask/stream-part.ts';
import { ofMain, ofUnknownPair, pairKey, type Alignment } from '../../protocol/stream-pair.ts';

export interface StreamAlignmentOptions {
  readonly streamsId: string;
  /** The mask painters of the sub-stream. */
  readonly painters: Pick<CameraPainters, 'align'>;
  readonly known: readonly Alignment[];
  /** It is known now, or not any more. */
  readonly changed: () => void;
}

export class StreamAlignment {
  readonly #options: StreamAlignmentOptions;
  #known: readonly Alignment[];
  /** As they came last: a stream that is away for a moment comes back as it was. */
  readonly #sizes: { main: Size | null; sub: Size | null } = { main: null, sub: null };
  #current: Alignment | null = null;

  constructor(options: StreamAlignmentOptions) {
    this.#options = options;
    this.#known = options.known;
    options.painters.align(null);
  }

  /** What the server knows, of pairs that this camera has or had. */
  setKnown(known: readonly Alignment[]): void {
    this.#known = known;
    this.#follow();
  }

  /** A stream begins. */
  setSize(stream: StreamName, { width, height }: Size): void {
    this.#sizes[stream] = { width, height };
    this.#follow();
  }

  /** It was measured. The server receives it, and sends it again after a restart. */
  measured(alignment: Alignment): void {
    this.#known = [...this.#known.filter(({ pair }) => pair !== alignment.pair), alignment];
    this.#follow();
  }

  /** Null until both streams came. */
  get pair(): string | null {
    const { main, sub } = this.#sizes;
    return main && sub && pairKey(this.#options.streamsId, main, sub);
  }

  get current(): Alignment | null {
    return this.#current;
  }

  /** What the sub-stream shows of the main picture, before both are turned; null: that is not known. */
  get part(): StreamPart | null {
    return this.#current?.part ?? null;
  }

  sizeOf(stream: StreamName): Size | null {
    return this.#sizes[stream];
  }

  /** What a recorder writes down with pictures of that stream. */
  nameOf(stream: StreamName): string {
    return stream === 'main' ? ofMain : (this.pair ?? ofUnknownPair);
  }

  #follow(): void {
    const { pair } = this;
    const before = this.#current;
    const now = this.#known.find((alignment) => alignment.pair === pair) ?? null;
    const isSame =
      before?.pair === now?.pair &&
      before?.isConfirmed === now?.isConfirmed &&
      (before === now || (before && now && isSamePart(before.part, now.part)));
    this.#current = now;
    if (isSame) return;
    this.#options.painters.align(now?.part ?? null);
    this.#options.changed();
  }
}
