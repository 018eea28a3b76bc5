/**
 * A node's part in the models in use: its vision uses what the installation uses, and the job of a change goes on
 * while this node runs.
 */
import { awaitAtMost, type Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { Database } from '#db/database.ts';
import type { Activity, Warnings } from '#activity/activity.ts';
import type { Faces } from '#faces/faces.ts';
import type { Visits } from '#visits/visits.ts';
import { packKey } from '#vision/packs/pack.ts';
import { ModelChange, type PackVision } from './model-change.ts';
import { Models } from './models.ts';
import { ModelStore, type ModelState } from './model-store.ts';

export interface ModelFollowerOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly vision: PackVision;
  readonly faces: Pick<Faces, 'refresh' | 'chipSource' | 'photos'>;
  readonly visits: Pick<Visits, 'chipSource'>;
  readonly warnings: Pick<Warnings, 'raise' | 'end' | 'isLiving'>;
  /** The pack that an installation changes to by itself unless a user chose another; undefined: none. */
  readonly preferredPackId?: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** How often the node checks without news: old vectors expire, and a node that died left its work. */
const idleMs = 60 * 60_000;
const preparingMs = 60_000;
const retryMs = 10_000;

export class ModelFollower implements AsyncDisposable {
  readonly #options: ModelFollowerOptions;
  readonly #store: ModelStore;
  readonly #change: ModelChange;
  readonly #stop = new AbortController();
  readonly #listening: Disposable;
  #news = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();
  /** The packs for which the gallery was last read. */
  #known: string | null = null;

  private constructor(options: ModelFollowerOptions) {
    const { db, activity, vision, faces, visits, warnings, clock, log } = options;
    this.#options = options;
    this.#store = new ModelStore(db);
    this.#change = new ModelChange({
      db,
      store: this.#store,
      activity,
      vision,
      chipSources: [faces.chipSource, visits.chipSource],
      photos: faces.chipSource,
      refused: faces.photos,
      warnings,
      clock,
      log,
    });
    this.#listening = this.#store.listen(() => this.#news.resolve());
  }

  /** Resolves when this node uses what the installation uses, if it can. */
  static async open(options: ModelFollowerOptions): Promise<ModelFollower> {
    const follower = new ModelFollower(options);
    await follower.#store.begin(packKey(options.vision.pack));
    // The gallery has only just been read.
    follower.#known = vectorsOf(await follower.#store.read());
    await follower
      .#succeed()
      .then(() => follower.#prefer())
      .then(() => follower.#follow())
      .catch((error: unknown) => options.log.error({ err: error }, 'models could not be loaded'));
    follower.#running = follower.#keepRunning();
    return follower;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening[Symbol.dispose]();
    this.#stop.abort();
    await this.#running;
  }

  /** With a new version of Nazar the pack in use may be gone, and another version of it be there. */
  async #succeed(): Promise<void> {
    const { vision } = this.#options;
    const { serving, preparing } = await this.#store.read();
    await vision.readPacks();
    const isThere = vision.packs.some((pack) => packKey(pack) === serving);
    const successor = vision.packs.find(({ id }) => serving.startsWith(`${id}@`));
    if (isThere || !successor || preparing !== null) return;
    await new Models(this.#options).succeed(successor.id);
  }

  /**
   * Begins the change to the preferred pack, at the first start with it: of this version of Nazar, or with what set-up
   * could not download before. A damaged one is left for set-up to make again.
   */
  async #prefer(): Promise<void> {
    const { vision, preferredPackId, log } = this.#options;
    await vision.readPacks();
    const pack = vision.packs.find(({ id }) => id === preferredPackId);
    const { serving, preparing, is_chosen } = await this.#store.read();
    if (!pack || packKey(pack) === serving || preparing !== null || is_chosen) return;
    await new Models(this.#options)
      .prefer(pack.id)
      .catch((error: unknown) =>
        log.error({ err: error, pack: pack.id }, 'better models are not used'),
      );
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
      await awaitAtMost(clock, this.#news.promise, waitMs, signal);
    }
  }

  /** Makes this node's vision use what the installation uses, and compare with its vectors. */
  async #follow(): Promise<void> {
    const { vision, faces, log } = this.#options;
    await vision.readPacks();
    const state = await this.#store.read();
    const vectors = vectorsOf(state);
    if (this.#known !== vectors) await faces.refresh();
    this.#known = vectors;
    if (packKey(vision.pack) === state.serving) return;
    const pack = vision.packs.find((one) => packKey(one) === state.serving);
    if (pack) return vision.use(pack.id);
    log.error({ pack: state.serving }, 'the models that faces are compared by are not installed');
  }
}

/** The packs whose vectors count. */
const vectorsOf = ({ serving, previous }: ModelState): string => `${serving} ${previous}`;
