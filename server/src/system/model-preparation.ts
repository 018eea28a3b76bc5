/**
 * Vectors of one pack for whatever has none, in bounded batches, each in a transaction of its own that may be
 * repeated. Knows shelves with chips, not what lies on them; and not what follows when all is done.
 */
import type { Database } from '#db/database.ts';
import type { Chip, ChipShelf, Made, Waiting } from '#faces/faces.ts';
import type { Vision } from '#vision/vision.ts';
import type { ModelStore } from './model-store.ts';

export interface ModelPreparationOptions {
  readonly db: Database;
  readonly store: ModelStore;
  readonly vision: Pick<Vision, 'reembed'>;
  /** The most important first. */
  readonly shelves: readonly ChipShelf[];
  /** Chips a time, unless the usual number. */
  readonly batch?: number;
}

/** A chip with what it was cut out of, where that is kept. */
interface Kept extends Chip {
  readonly photo: Buffer | null;
}

/** About a second of work, ten where photos are looked at, and what a kill costs. */
const usualBatch = 32;
/** Batches of which nothing was kept, because all of it changed meanwhile, before it is taken for a mistake. */
const maxFruitless = 10;

/**
 * One walk over all shelves, each from its newest row down, so that what is done is not walked over with each batch.
 * What came meanwhile is found by the next round, which is short; the last one finds nothing.
 */
interface Round {
  shelf: number;
  /** Down to where the shelf was walked. */
  below: string | null;
  found: boolean;
}

const aRound = (): Round => ({ shelf: 0, below: null, found: false });

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

  /** How many shelves are walked over. */
  get shelves(): number {
    return this.#options.shelves.length;
  }

  /** A batch, or the end of a round; false: a whole round found nothing. */
  async next(): Promise<boolean> {
    const round = this.#round;
    for (const shelf of this.#options.shelves.slice(round.shelf)) {
      const last = await this.#batch(shelf, round.below);
      if (last !== null) {
        round.below = last;
        round.found = true;
        return true;
      }
      round.shelf += 1;
      round.below = null;
    }
    this.#round = aRound();
    return round.found;
  }

  /** The id down to which the shelf was walked; null: nothing is left there. */
  async #batch(shelf: ChipShelf, below: string | null): Promise<string | null> {
    const { pack } = this;
    const { db, store, batch = usualBatch } = this.#options;
    const rows = await shelf.waiting(pack, batch, below);
    const last = rows.at(-1);
    if (!last) return null;
    const made = await this.#make(shelf, rows);
    const kept = await db.transaction(async (tx) => {
      const { preparing, serving } = await store.lock(tx);
      // Cancelled, or switched by another node.
      if ((preparing ?? serving) !== pack) return null;
      const count = await shelf.keep(tx, { pack, serving }, made);
      const done = made.filter(({ vector }) => vector !== null).length;
      if (preparing) await store.advance(tx, { done, failed: made.length - done });
      return count;
    });
    this.#fruitless = kept === 0 ? this.#fruitless + 1 : 0;
    if (this.#fruitless > maxFruitless) throw new Error('vectors are made and never kept');
    return last.id;
  }

  async #make(shelf: ChipShelf, rows: readonly Waiting[]): Promise<Made[]> {
    const readable: Kept[] = [];
    for (const row of rows) {
      if (row.chip) readable.push({ ...row.chip, photo: await shelf.photo(row) });
    }
    const vectors = [...(await this.#reembed(readable))];
    const made: Made[] = [];
    for (const row of rows) {
      const vector = row.chip === null ? null : vectors.shift()!;
      made.push({ ...row, vector: vector ?? (await this.#anew(shelf, row)) });
    }
    return made;
  }

  async #anew(shelf: ChipShelf, row: Waiting): Promise<Float32Array | null> {
    const chip = await shelf.anew(row);
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
