/**
 * Which models recognise faces, and changing them while everything runs: a job that any node may carry on
 * (model-change.ts), followed by each node's vision. What models are and where they come from is vision's.
 */
import type { ModelsReply } from '@nazar/contract/models.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import type { Database, Tx } from '#db/database.ts';
import type { Action, Activity, Actor, Details } from '#activity/activity.ts';
import type { Faces } from '#faces/faces.ts';
import type { Sightings } from '#sightings/sightings.ts';
import { packKey } from '#vision/vision.ts';
import { keepPreviousMs, ModelChange, noChange, type PackVision } from './model-change.ts';
import { ModelStore, type ModelState } from './model-store.ts';

export type { PackVision } from './model-change.ts';

export interface ModelsOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly vision: PackVision;
  readonly faces: Pick<Faces, 'refresh' | 'shelf'>;
  readonly sightings: Pick<Sightings, 'shelf'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** `id@version` of the pack that serves in this installation; null: none was ever chosen. */
export async function servingPack(db: Database): Promise<string | null> {
  return (await new ModelStore(db).find())?.serving ?? null;
}

/** People named of those who would be left without a photo. */
const namedLosers = 100;
/** Looked at, unless there is news: old vectors come of age, and a node that died left its work. */
const idleMs = 60 * 60_000;
const preparingMs = 60_000;
const retryMs = 10_000;

export class Models implements AsyncDisposable {
  readonly #options: ModelsOptions;
  readonly #store: ModelStore;
  readonly #change: ModelChange;
  readonly #stop = new AbortController();
  readonly #listening: Disposable;
  #news = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();

  private constructor(options: ModelsOptions) {
    const { db, activity, vision, faces, sightings, clock, log } = options;
    this.#options = options;
    const store = new ModelStore(db);
    this.#store = store;
    this.#change = new ModelChange({
      db,
      store,
      activity,
      vision,
      shelves: [faces.shelf, sightings.shelf],
      photos: faces.shelf,
      clock,
      log,
    });
    this.#listening = store.listen(() => this.#news.resolve());
  }

  /** Resolves when this node serves what the installation serves, if it can. */
  static async open(options: ModelsOptions): Promise<Models> {
    const models = new Models(options);
    await models.#store.begin(packKey(options.vision.pack));
    await models
      .#follow()
      .catch((error: unknown) => options.log.error({ err: error }, 'models could not be loaded'));
    models.#running = models.#keepRunning();
    return models;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening[Symbol.dispose]();
    this.#stop.abort();
    await this.#running;
  }

  /** The pack that vectors are compared by is not installed on this node: nobody is recognised here. */
  async areMissing(): Promise<boolean> {
    return this.#installed((await this.#store.read()).serving) === undefined;
  }

  async read(): Promise<ModelsReply> {
    const { vision } = this.#options;
    const state = await this.#store.read();
    const { serving, previous, switched_at } = state;
    const until = switched_at && new Date(switched_at.getTime() + keepPreviousMs).toISOString();
    return {
      installed: vision.packs.map(({ id, version, license }) => ({ id, version, license })),
      serving: {
        ...named(serving),
        is_installed: this.#installed(serving) !== undefined,
        is_loaded: packKey(vision.pack) === serving,
      },
      previous: previous && until ? { ...named(previous), until } : null,
      change: await this.#changeOf(state),
    };
  }

  /**
   * Prepares an installed pack and makes it serve; or, of one that is prepared already, agrees that so many photos
   * stop serving. Throws model_pack_not_found, model_serves_already, model_change_running.
   */
  async use(actor: Actor, packId: string, acceptLosses: number): Promise<ModelsReply> {
    const { db, vision, clock } = this.#options;
    const pack = vision.packs.find(({ id }) => id === packId);
    if (!pack) throw new Problem('model_pack_not_found', { pack: packId });
    const wanted = packKey(pack);
    await db.transaction(async (tx) => {
      const { serving, preparing } = await this.#store.lock(tx);
      if (preparing !== null && preparing !== wanted) throw new Problem('model_change_running');
      if (preparing === null && serving === wanted) throw new Problem('model_serves_already');
      if (preparing === null) {
        const started = { started_at: new Date(clock.now()), started_by: actor.userId };
        await this.#store.change(tx, { ...noChange, ...started, preparing: wanted });
        await this.#record(tx, actor, 'system.model_change_begun', { from: serving, to: wanted });
      }
      if (acceptLosses > 0) {
        await this.#store.change(tx, { accepted_losses: acceptLosses });
        const details = { to: wanted, photos: acceptLosses };
        await this.#record(tx, actor, 'system.model_losses_accepted', details);
      }
      await this.#store.announce(tx);
    });
    return this.read();
  }

  /** What was prepared is dropped. Throws model_change_none. */
  async cancel(actor: Actor): Promise<void> {
    await this.#options.db.transaction(async (tx) => {
      const { preparing } = await this.#store.lock(tx);
      if (preparing === null) throw new Problem('model_change_none');
      await this.#store.change(tx, noChange);
      await this.#record(tx, actor, 'system.model_change_cancelled', { to: preparing });
      await this.#store.announce(tx);
    });
  }

  async #changeOf(state: ModelState): Promise<ModelsReply['change']> {
    const { preparing, started_at, started_by, total, done, failed, is_waiting } = state;
    if (preparing === null) return null;
    const { shelf } = this.#options.faces;
    return {
      to: named(preparing),
      started_at: started_at!.toISOString(),
      started_by: await this.#store.nameOf(started_by),
      total,
      done,
      failed,
      losses: is_waiting ? await shelf.losses(preparing, namedLosers) : null,
    };
  }

  #record(tx: Tx, actor: Actor, action: Action, details: Details): Promise<void> {
    return this.#options.activity.record(tx, { actor, action, object: null, details });
  }

  #installed(name: string) {
    return this.#options.vision.packs.find((pack) => packKey(pack) === name);
  }

  async #keepRunning(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#news = Promise.withResolvers();
      let waitMs = idleMs;
      try {
        await this.#follow();
        await this.#change.run(signal);
        if ((await this.#store.read()).preparing !== null) waitMs = preparingMs;
      } catch (error) {
        log.error({ err: error }, 'models could not be changed');
        waitMs = retryMs;
      }
      await this.#newsWithin(clock, waitMs);
    }
  }

  async #newsWithin(clock: Clock, ms: number): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#stop.signal]);
    await Promise.race([this.#news.promise, clock.wait(ms, signal).catch(() => undefined)]);
    over.abort();
  }

  /** This node's vision serves what the installation serves, and compares with what there is of it. */
  async #follow(): Promise<void> {
    const { vision, faces, log } = this.#options;
    const { serving, previous } = await this.#store.read();
    const isNews = this.#known !== `${serving} ${previous}`;
    if (isNews) await faces.refresh();
    this.#known = `${serving} ${previous}`;
    if (packKey(vision.pack) === serving) return;
    const pack = this.#installed(serving);
    if (pack) return vision.use(pack.id);
    if (isNews)
      log.error({ pack: serving }, 'the model that faces are compared by is not installed');
  }

  /** What the gallery was read for. */
  #known: string | null = null;
}

function named(pack: string): { id: string; version: string } {
  const at = pack.lastIndexOf('@');
  return { id: pack.slice(0, at), version: pack.slice(at + 1) };
}
