/**
 * How the two streams of a camera lie to each other, for the administrators who draw its zones: what is known of it, and
 * what they say of it. They see upright pictures; what is kept is of the pictures as the camera sends them.
 */
import type { AlignedPart, CameraAlignment } from '@nazar/contract/alignment.ts';
import type { StreamName } from '@nazar/contract/cameras.ts';
import type { Cameras, KnownAlignment } from '#cameras/cameras.ts';
import type { Scope } from '#http/scope.ts';
import type { Rect, Size } from '#lib/geometry.ts';
import { Problem } from '#lib/problem.ts';
import { turnedPart } from '../mask/stream-part.ts';
import type { Media } from '../media.ts';
import type { Rotation } from '../protocol/rotation.ts';
import { sizesOf } from '../protocol/stream-pair.ts';

export interface AlignmentOptions {
  readonly cameras: Pick<Cameras, 'read' | 'alignments'> & {
    readonly zones: Pick<Cameras['zones'], 'mustSeeUnmasked'>;
  };
  readonly media: Pick<Media<never>, 'pairOf' | 'unmasked'>;
}

/** The two streams that an administrator compares. */
interface Streams {
  readonly rotation: Rotation;
  readonly pair: string;
  readonly known: KnownAlignment | null;
}

export class Alignment {
  readonly #options: AlignmentOptions;

  constructor(options: AlignmentOptions) {
    this.#options = options;
  }

  /** Throws camera_not_found. */
  async read(scope: Scope, cameraId: string): Promise<CameraAlignment> {
    const streams = await this.#streams(scope, cameraId);
    return streams ? asAlignment(streams) : nothing;
  }

  /** `streams`: those that were compared. Throws camera_not_found, streams_changed. */
  async confirm(
    scope: Scope,
    cameraId: string,
    { part, streams }: { readonly part: AlignedPart; readonly streams: string },
  ): Promise<CameraAlignment> {
    const present = await this.#streams(scope, cameraId);
    if (!present || nameOf(present) !== streams) throw new Problem('streams_changed');
    const { pair, rotation } = present;
    await this.#options.cameras.alignments.confirm(scope, cameraId, pair, sent(part, rotation));
    return this.read(scope, cameraId);
  }

  /** Throws camera_not_found. */
  async forget(scope: Scope, cameraId: string): Promise<CameraAlignment> {
    const present = await this.#streams(scope, cameraId);
    if (present?.known) {
      await this.#options.cameras.alignments.forget(scope, cameraId, present.pair);
    }
    return this.read(scope, cameraId);
  }

  /** A JPEG. Throws camera_not_found, camera_masked, camera_not_live, snapshot_not_ready. */
  async picture(scope: Scope, cameraId: string, stream: StreamName): Promise<Buffer> {
    const { cameras, media } = this.#options;
    const { id } = await cameras.read(scope, cameraId);
    await cameras.zones.mustSeeUnmasked(scope, id);
    return media.unmasked(id, stream);
  }

  /** The streams that come now, or that came last and are known; null: none. */
  async #streams(scope: Scope, cameraId: string): Promise<Streams | null> {
    const { cameras, media } = this.#options;
    const { id, rotation, sub_url: subUrl } = await cameras.read(scope, cameraId);
    if (!subUrl) return null;
    const known = await cameras.alignments.known(id);
    const pair = (await media.pairOf(id)) ?? known[0]?.pair;
    if (pair === undefined) return null;
    return { rotation, pair, known: known.find((one) => one.pair === pair) ?? null };
  }
}

const nothing: CameraAlignment = {
  state: 'none',
  part: null,
  is_confirmed: false,
  confirmed_by: null,
  aligned_at: null,
  main: null,
  sub: null,
  streams: null,
};

function asAlignment(streams: Streams): CameraAlignment {
  const { rotation, pair, known } = streams;
  const sizes = sizesOf(pair);
  return {
    state: known ? 'known' : 'measuring',
    part: known && plain(turnedPart(known.part, rotation)),
    is_confirmed: known?.isConfirmed ?? false,
    confirmed_by: known?.confirmedBy ?? null,
    aligned_at: known?.alignedAt.toISOString() ?? null,
    main: sizes && upright(sizes.main, rotation),
    sub: sizes && upright(sizes.sub, rotation),
    streams: nameOf(streams),
  };
}

/** A part that was viewed upright is another one once the pictures are turned otherwise. */
const nameOf = ({ pair, rotation }: Streams): string => `${pair}/${rotation}`;

const plain = ({ x, y, width, height }: Rect): Rect => ({ x, y, width, height });

const upright = ({ width, height }: Size, rotation: Rotation): Size =>
  rotation === 90 || rotation === 270 ? { width: height, height: width } : { width, height };

/** The same part as the camera sends it. */
const sent = (part: Rect, rotation: Rotation): Rect =>
  plain(turnedPart(part, ((360 - rotation) % 360) as Rotation));
