/**
 * The work of changing models: it prepares a vector of the new pack for every photo and every visit, switches, and
 * tidies up. Each step may be repeated, by whichever node holds the lock: a node that dies leaves work, never damage.
 * The old pack stays in use meanwhile.
 *
 *   prepare   vectors of the pack for whatever has none (model-preparation.ts)
 *   switch    when no photo is left, in a transaction that keeps photos from coming; waits where some would be lost
 *   follow    vectors of the pack now in use, for what a node made with the one before
 *   refused   photos that the pack before refused, checked with the one now in use
 *   tidy      vectors of packs that are not needed any more
 */
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { alone } from '#db/alone.ts';
import { systemActor, type Activity, type Warnings } from '#activity/activity.ts';
import type { Faces } from '#faces/faces.ts';
import type { Vision } from '#vision/vision.ts';
import { packKey, type Pack } from '#vision/packs/pack.ts';
import { ModelNotices } from './model-notices.ts';
import { ModelPreparation, type ModelPreparationOptions } from './model-preparation.ts';
import type { ModelState } from './model-store.ts';

/** What a change of models needs to know of a pack. */
export type AnyPack = Pick<Pack, 'id' | 'version' | 'license'>;

/** What a change of models needs of vision. */
export interface PackVision extends Pick<Vision, 'mustBeWhole' | 'readPacks' | 'use' | 'reembed'> {
  /** The pack in use on this node. */
  readonly pack: AnyPack;
  /** The installed packs, as they were last read. */
  readonly packs: readonly AnyPack[];
}

export interface ModelChangeOptions extends ModelPreparationOptions {
  readonly activity: Activity;
  readonly vision: PackVision;
  readonly photos: Pick<Faces['chipSource'], 'isComplete' | 'countLosses' | 'serve'>;
  readonly refused: Pick<Faces['photos'], 'recheck'>;
  readonly warnings: Pick<Warnings, 'raise' | 'end' | 'isLiving'>;
  readonly clock: Clock;
  readonly log: Log;
}

const tidyBatch = 1_000;
/** How long the change can be reversed at once: a week contains all hours and all days. */
export const keepPreviousMs = 7 * 24 * 60 * 60_000;

export class ModelChange {
  readonly #options: ModelChangeOptions;
  readonly #notices: ModelNotices;
  #preparation: ModelPreparation | null = null;

  constructor(options: ModelChangeOptions) {
    this.#options = options;
    this.#notices = new ModelNotices({ ...options, keepPreviousMs });
  }

  /** Runs until nothing can be done now; does nothing when another node does it. `signal` ends it between two steps. */
  async run(signal?: AbortSignal): Promise<void> {
    await alone(this.#options.db, 'system.models', async (lost) => {
      this.#preparation = null;
      await this.#notices.tell();
      await this.#count();
      while (!signal?.aborted && !lost.aborted && (await this.step()));
    });
  }

  /** One step, which may be repeated; false when nothing can be done now. */
  async step(): Promise<boolean> {
    const { store, log } = this.#options;
    const state = await store.read();
    const pack = state.preparing ?? (state.previous === null ? null : state.serving);
    if (pack !== null && this.#isInstalled(pack)) {
      if (await this.#prepare(pack, state)) return true;
      if (state.preparing !== null) {
        const isMoving = await this.#switch(pack);
        await this.#notices.tell();
        return isMoving;
      }
    } else if (state.preparing !== null) {
      log.warn({ pack: state.preparing }, 'a model that is not installed here cannot be prepared');
      return false;
    }
    if (state.preparing === null && (await this.#recheckRefused(state))) return true;
    return this.#tidy(state);
  }

  /** Runs on a node whose vision uses the pack in use. */
  async #recheckRefused({ serving }: ModelState): Promise<boolean> {
    const { vision, refused } = this.#options;
    return packKey(vision.pack) === serving && (await refused.recheck());
  }

  /** While no person is recognised, it only waits for photos: visits follow when the pack is in use. */
  #prepare(pack: string, { serving, preparing }: ModelState): Promise<boolean> {
    const isUrgent = preparing !== null && !this.#isInstalled(serving);
    const of = isUrgent ? this.#options.chipSources.slice(0, 1) : this.#options.chipSources;
    if (this.#preparation?.pack !== pack || this.#preparation.chipSources !== of.length) {
      this.#preparation = new ModelPreparation({ ...this.#options, chipSources: of }, pack);
    }
    return this.#preparation.next();
  }

  #isInstalled(pack: string): boolean {
    return this.#options.vision.packs.some((one) => packKey(one) === pack);
  }

  /** Counts the progress, which an interrupted job does not know. */
  async #count(): Promise<void> {
    const { db, store, chipSources } = this.#options;
    const { preparing } = await store.read();
    if (preparing === null) return;
    const sum = { total: 0, done: 0, failed: 0 };
    for (const chipSource of chipSources) {
      const counts = await chipSource.count(preparing);
      for (const key of ['total', 'done', 'failed'] as const) sum[key] += counts[key];
    }
    await db.transaction(async (tx) => {
      if ((await store.lock(tx)).preparing === preparing) await store.change(tx, sum);
    });
  }

  /** False: an administrator has to accept that photos become unusable. */
  #switch(pack: string): Promise<boolean> {
    const { db, store, photos, activity, clock } = this.#options;
    return db.transaction(async (tx) => {
      const state = await store.lock(tx);
      if (state.preparing !== pack || !(await photos.isComplete(tx, pack))) return true;
      const lost = await photos.countLosses(tx, pack);
      // Where the old pack is not installed, nothing is lost.
      if (lost > state.accepted_losses && this.#isInstalled(state.serving)) {
        if (state.is_waiting) return false;
        await store.change(tx, { is_waiting: true });
        await store.announce(tx);
        return false;
      }
      await photos.serve(tx, pack);
      await store.change(tx, {
        ...noChange,
        is_automatic: state.is_automatic,
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
    const { db, store, chipSources, vision, clock } = this.#options;
    const isLate = previous !== null && clock.now() - switched_at!.getTime() > keepPreviousMs;
    // A node that cannot load the pack still uses the one before.
    const isOver = isLate && packKey(vision.pack) === serving;
    const packs = previous === null || isOver ? [serving] : [serving, previous];
    for (const chipSource of chipSources) {
      const rows = await db.transaction(async (tx) => {
        const state = await store.lock(tx);
        // A user began a change at this moment.
        if (state.preparing !== null || state.serving !== serving) return null;
        return chipSource.tidy(tx, { serving, packs }, tidyBatch);
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
  is_automatic: false,
} as const;
