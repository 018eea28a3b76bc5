/**
 * Vectors of one pack for whatever has none, in bounded batches, each in a transaction of its own that may be
 * repeated. It knows chip sources, not what their chips show, and not what follows when all is done.
 */
import type { Database } from '#db/database.ts';
import type { Chip, ChipSource, Reembedded, Waiting } from '#faces/faces.ts';
import type { Vision } from '#vision/vision.ts';
import type { ModelStore } from './model-store.ts';

export interface ModelPreparationOptions {
  readonly db: Database;
  readonly store: ModelStore;
  readonly vision: Pick<Vision, 'reembed'>;
  /** The most important first. */
  readonly chipSources: readonly ChipSource[];
  /** Chips a batch; default: the usual number. */
  readonly batch?: number;
}

/** A chip with the photo it was cropped from, where that is stored. */
interface Kept extends Chip {
  readonly photo: Buffer | null;
}

/** About a second of work, ten where photos are checked; a kill costs this much. */
const usualBatch = 32;
/** After this many batches of which nothing was stored, because all of it changed meanwhile, it is taken for a bug. */
const maxFruitless = 10;

/**
 * One walk over all chip sources, each from its newest row down, so that finished rows are not walked over with each
 * batch. The next round, which is short, finds what came meanwhile; the last one finds nothing.
 */
interface Round {
  chipSource: number;
  /** The id down to which the chip source was walked. */
  below: string | null;
  found: boolean;
}

const aRound = (): Round => ({ chipSource: 0, below: null, found: false });

export class ModelPreparation {
  /** `id@version`. */
  readonly pack: string;
  readonly #options: ModelPreparationOptions;
  #round = aRound();
  #fruitless = 0;

  constructor(options: ModelPreparationOptions, pack: string) {
    this.#options = options;
    this.pack = pack;
  }

  /** How many chip sources are walked over. */
  get chipSources(): number {
    return this.#options.chipSources.length;
  }

  /** Handles a batch, or ends a round; false: a whole round found nothing. */
  async next(): Promise<boolean> {
    const round = this.#round;
    for (const chipSource of this.#options.chipSources.slice(round.chipSource)) {
      const last = await this.#batch(chipSource, round.below);
      if (last !== null) {
        round.below = last;
        round.found = true;
        return true;
      }
      round.chipSource += 1;
      round.below = null;
    }
    this.#round = aRound();
    return round.found;
  }

  /** Returns the id down to which the chip source was walked; null: nothing is left there. */
  async #batch(chipSource: ChipSource, below: string | null): Promise<string | null> {
    const { pack } = this;
    const { db, store, batch = usualBatch } = this.#options;
    const rows = await chipSource.waiting(pack, batch, below);
    const last = rows.at(-1);
    if (!last) return null;
    const reembedded = await this.#make(chipSource, rows);
    const kept = await db.transaction(async (tx) => {
      const { preparing, serving } = await store.lock(tx);
      // Cancelled, or switched by another node.
      if ((preparing ?? serving) !== pack) return null;
      const count = await chipSource.keep(tx, { pack, serving }, reembedded);
      const done = reembedded.filter(({ vector }) => vector !== null).length;
      if (preparing) await store.advance(tx, { done, failed: reembedded.length - done });
      return count;
    });
    this.#fruitless = kept === 0 ? this.#fruitless + 1 : 0;
    if (this.#fruitless > maxFruitless) throw new Error('vectors are made and never kept');
    return last.id;
  }

  async #make(chipSource: ChipSource, rows: readonly Waiting[]): Promise<Reembedded[]> {
    const readable: Kept[] = [];
    for (const row of rows) {
      if (row.chip) readable.push({ ...row.chip, photo: await chipSource.photo(row) });
    }
    const vectors = [...(await this.#reembed(readable))];
    const reembedded: Reembedded[] = [];
    for (const row of rows) {
      const vector = row.chip === null ? null : vectors.shift()!;
      reembedded.push({ ...row, vector: vector ?? (await this.#recrop(chipSource, row)) });
    }
    return reembedded;
  }

  async #recrop(chipSource: ChipSource, row: Waiting): Promise<Float32Array | null> {
    const chip = await chipSource.recrop(row);
    if (chip === null) return null;
    const [vector = null] = await this.#reembed([{ ...chip, photo: null }]);
    return vector;
  }

  async #reembed(chips: readonly Kept[]): Promise<readonly (Float32Array | null)[]> {
    if (chips.length === 0) return [];
    const packId = this.pack.slice(0, this.pack.lastIndexOf('@'));
    return this.#options.vision.reembed(
      packId,
      chips.map(({ jpeg, cutBy, photo }) => ({ jpeg, pack: cutBy, photo })),
    );
  }
}
