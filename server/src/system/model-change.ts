/**
 * The work of changing models: until every photo and every visit has a vector of the pack that is to serve, then the
 * switch, then tidying up. In bounded batches, each in a transaction of its own that may be repeated, by whichever
 * node holds the lock: a node that dies leaves work, never damage. The pack that serves goes on serving meanwhile.
 *
 *   prepare   vectors of the pack for whatever has none, photos first, in rounds: the next finds what came meanwhile
 *   switch    when no photo is left, in a transaction that keeps photos from coming; waits where some would be lost
 *   follow    vectors of the pack that serves now, for what a node made with the one before
 *   tidy      vectors of packs that are not needed any more
 */
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { alone } from '#db/alone.ts';
import type { Database } from '#db/database.ts';
import { systemActor, type Activity } from '#activity/activity.ts';
import type { ChipShelf, Counts, Faces, Made, Waiting } from '#faces/faces.ts';
import { packKey, type Pack, type Vision } from '#vision/vision.ts';
import type { ModelState, ModelStore } from './model-store.ts';

/** A pack as far as changing to it goes. */
export type AnyPack = Pick<Pack, 'id' | 'version' | 'license'>;

/** What a change of models needs of vision. */
export interface PackVision extends Pick<Vision, 'use' | 'reembed'> {
  /** The pack that serves on this node. */
  readonly pack: AnyPack;
  /** Those that are installed. */
  readonly packs: readonly AnyPack[];
}

export interface ModelChangeOptions {
  readonly db: Database;
  readonly store: ModelStore;
  readonly activity: Activity;
  readonly vision: PackVision;
  /** The most important first. */
  readonly shelves: readonly ChipShelf[];
  readonly photos: Pick<Faces['shelf'], 'isComplete' | 'countLosses' | 'serve'>;
  /** Chips a time, unless the usual number. */
  readonly batch?: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Chips a time: about a second of work, and what a kill costs. */
const usualBatch = 32;
const tidyBatch = 1_000;
/** How long one may go back at once: a week has shown all hours and all days. */
export const keepPreviousMs = 7 * 24 * 60 * 60_000;
/** Batches of which nothing was kept, because all of it changed meanwhile, before it is taken for a mistake. */
const maxFruitless = 10;

/**
 * One walk over all shelves, each from its newest row down, so that what is done is not walked over with each batch.
 * What came meanwhile is found by the next round, which is short; the last one finds nothing.
 */
interface Round {
  readonly pack: string;
  shelf: number;
  /** Down to where the shelf was walked. */
  below: string | null;
  found: boolean;
}

const aRound = (pack: string): Round => ({ pack, shelf: 0, below: null, found: false });

export class ModelChange {
  readonly #options: ModelChangeOptions;
  #round: Round | null = null;
  #fruitless = 0;

  constructor(options: ModelChangeOptions) {
    this.#options = options;
  }

  /** Until nothing can be done now; nothing when another node does it. `signal` ends it between two steps. */
  async run(signal?: AbortSignal): Promise<void> {
    await alone(this.#options.db, 'system.models', async () => {
      this.#round = null;
      await this.#count();
      while (!signal?.aborted && (await this.step()));
    });
  }

  /** One step, which may be repeated; false when nothing can be done now. */
  async step(): Promise<boolean> {
    const { store, log } = this.#options;
    const state = await store.read();
    const pack = state.preparing ?? (state.previous === null ? null : state.serving);
    if (pack !== null && this.#isInstalled(pack)) {
      if (await this.#prepareNext(pack)) return true;
      if (state.preparing !== null) return this.#switch(pack);
    } else if (state.preparing !== null) {
      log.warn({ pack: state.preparing }, 'a model that is not installed here cannot be prepared');
      return false;
    }
    return this.#tidy(state);
  }

  #isInstalled(pack: string): boolean {
    return this.#options.vision.packs.some((one) => packKey(one) === pack);
  }

  /** How far it is, as far as a job that was interrupted does not know. */
  async #count(): Promise<void> {
    const { db, store, shelves } = this.#options;
    const { preparing } = await store.read();
    if (preparing === null) return;
    const sum = { total: 0, done: 0, failed: 0 };
    for (const shelf of shelves) {
      const counts: Counts = await shelf.count(preparing);
      for (const key of ['total', 'done', 'failed'] as const) sum[key] += counts[key];
    }
    await db.transaction(async (tx) => {
      if ((await store.lock(tx)).preparing === preparing) await store.change(tx, sum);
    });
  }

  /** A batch, or the end of a round; false: a whole round found nothing. */
  async #prepareNext(pack: string): Promise<boolean> {
    if (this.#round?.pack !== pack) this.#round = aRound(pack);
    const round = this.#round;
    for (const shelf of this.#options.shelves.slice(round.shelf)) {
      const last = await this.#prepare(shelf, pack, round.below);
      if (last !== null) {
        round.below = last;
        round.found = true;
        return true;
      }
      round.shelf += 1;
      round.below = null;
    }
    this.#round = aRound(pack);
    return round.found;
  }

  /** The id down to which the shelf was walked; null: nothing is left there. */
  async #prepare(shelf: ChipShelf, pack: string, below: string | null): Promise<string | null> {
    const { db, store, batch = usualBatch } = this.#options;
    const rows = await shelf.waiting(pack, batch, below);
    const last = rows.at(-1);
    if (!last) return null;
    const made = await this.#make(shelf, pack, rows);
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

  async #make(shelf: ChipShelf, pack: string, rows: readonly Waiting[]): Promise<Made[]> {
    const readable = rows.flatMap(({ chip }) => chip ?? []);
    const vectors = [...(await this.#reembed(pack, readable))];
    const made: Made[] = [];
    for (const row of rows) {
      const vector = row.chip === null ? null : vectors.shift()!;
      made.push({ ...row, vector: vector ?? (await this.#anew(shelf, pack, row)) });
    }
    return made;
  }

  async #anew(shelf: ChipShelf, pack: string, row: Waiting): Promise<Float32Array | null> {
    const chip = await shelf.anew(row);
    if (chip === null) return null;
    const [vector = null] = await this.#reembed(pack, [chip]);
    return vector;
  }

  async #reembed(
    pack: string,
    chips: readonly { readonly jpeg: Buffer; readonly cutBy: string }[],
  ): Promise<readonly (Float32Array | null)[]> {
    if (chips.length === 0) return [];
    const packId = pack.slice(0, pack.lastIndexOf('@'));
    return this.#options.vision.reembed(
      packId,
      chips.map(({ jpeg, cutBy }) => ({ jpeg, pack: cutBy })),
    );
  }

  /** False: somebody has to say that photos may stop serving. */
  #switch(pack: string): Promise<boolean> {
    const { db, store, photos, activity, clock } = this.#options;
    return db.transaction(async (tx) => {
      const state = await store.lock(tx);
      if (state.preparing !== pack || !(await photos.isComplete(tx, pack))) return true;
      const lost = await photos.countLosses(tx, pack);
      if (lost > state.accepted_losses) {
        await store.change(tx, { is_waiting: true });
        await store.announce(tx);
        return false;
      }
      await photos.serve(tx, pack);
      await store.change(tx, {
        ...noChange,
        serving: pack,
        previous: state.serving,
        switched_at: new Date(clock.now()),
      });
      await activity.record(tx, {
        actor: systemActor,
        action: 'system.model_changed',
        object: null,
        details: { from: state.serving, to: pack, photos_lost: lost },
      });
      await store.announce(tx);
      return true;
    });
  }

  async #tidy({ serving, previous, switched_at }: ModelState): Promise<boolean> {
    const { db, store, shelves, clock } = this.#options;
    const isOver = previous !== null && clock.now() - switched_at!.getTime() > keepPreviousMs;
    const packs = previous === null || isOver ? [serving] : [serving, previous];
    for (const shelf of shelves) {
      const rows = await db.transaction(async (tx) => {
        const state = await store.lock(tx);
        // Somebody began a change in this moment.
        if (state.preparing !== null || state.serving !== serving) return null;
        return shelf.tidy(tx, { serving, packs }, tidyBatch);
      });
      if (rows !== 0) return true;
    }
    if (isOver) {
      await db.transaction(async (tx) => {
        const state = await store.lock(tx);
        if (state.previous !== previous || state.serving !== serving) return;
        await store.change(tx, { previous: null });
        await store.announce(tx);
      });
    }
    return isOver;
  }
}

/** A state in which nothing is prepared. */
export const noChange = {
  preparing: null,
  started_at: null,
  started_by: null,
  total: 0,
  done: 0,
  failed: 0,
  accepted_losses: 0,
  is_waiting: false,
} as const;
