/**
 * The models that recognise faces, and changing them while everything runs. A job that any node carries on does the
 * work (model-change.ts), and each node's vision follows (model-follower.ts). What models are and where they come
 * from is vision's concern.
 */
import type { ModelsReply } from '@nazar/contract/models.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { Database, Tx } from '#db/database.ts';
import {
  systemActor,
  type Action,
  type Activity,
  type Actor,
  type Details,
} from '#activity/activity.ts';
import { photoLosses } from '#faces/faces.ts';
import { madeAtSetUp } from '#vision/vision.ts';
import { packKey } from '#vision/packs/pack.ts';
import { keepPreviousMs, noChange, type AnyPack, type PackVision } from './model-change.ts';
import { ModelStore, type ModelState } from './model-store.ts';

export interface ModelsOptions {
  readonly db: Database;
  readonly activity: Activity;
  /** What is installed here, and what this node uses; a program beside the server does not know the latter. */
  readonly vision: Pick<PackVision, 'packs' | 'readPacks' | 'mustBeWhole'> &
    Partial<Pick<PackVision, 'pack'>>;
  /** The pack that an installation uses by itself where it is installed; undefined: the shipped one. */
  readonly preferredPackId?: string | undefined;
  readonly clock: Clock;
}

/** `id@version` of the pack in use in this installation; null: it never began. */
export async function servingPack(db: Database): Promise<string | null> {
  return (await new ModelStore(db).find())?.serving ?? null;
}

/** How many of the people who would be left without a photo are named. */
const namedLosers = 100;

export class Models {
  readonly #options: ModelsOptions;
  readonly #store: ModelStore;

  constructor(options: ModelsOptions) {
    this.#options = options;
    this.#store = new ModelStore(options.db);
  }

  /**
   * Whether this node uses the pack whose vectors are compared; it may be loading it, or not have it. `older`: it does,
   * and would use the preferred one if that were installed.
   */
  async state(): Promise<'served' | 'older' | 'loading' | 'missing'> {
    await this.#options.vision.readPacks();
    const state = await this.#store.read();
    const { serving } = state;
    if (this.#isLoaded(serving)) return this.#awaited(state) === null ? 'served' : 'older';
    return this.#installed(serving) ? 'loading' : 'missing';
  }

  async read(): Promise<ModelsReply> {
    const { vision } = this.#options;
    await vision.readPacks();
    const state = await this.#store.read();
    const { serving, previous, switched_at } = state;
    const until = switched_at && new Date(switched_at.getTime() + keepPreviousMs).toISOString();
    return {
      installed: vision.packs.map(({ id, version, license }) => ({ id, version, license })),
      unavailable: madeAtSetUp.filter((id) => !vision.packs.some((pack) => pack.id === id)),
      awaited: this.#awaited(state),
      serving: {
        ...named(serving),
        is_installed: this.#installed(serving) !== undefined,
        is_loaded: this.#isLoaded(serving),
      },
      previous: previous && until ? { ...named(previous), until } : null,
      change: await this.#changeOf(state),
    };
  }

  /**
   * Prepares an installed pack and puts it in use; for one that is prepared already, accepts that this many photos
   * become unusable. Throws model_pack_not_found, model_pack_damaged, model_serves_already, model_change_running.
   */
  async use(actor: Actor, packId: string, acceptLosses: number): Promise<ModelsReply> {
    const wanted = await this.#mustBeUsable(packId);
    await this.#options.db.transaction(async (tx) => {
      const { serving, preparing } = await this.#store.lock(tx);
      if (preparing !== null && preparing !== wanted) throw new Problem('model_change_running');
      if (preparing === null && serving === wanted) throw new Problem('model_serves_already');
      if (preparing === null) await this.#begin(tx, actor, { from: serving, to: wanted });
      await this.#store.change(tx, { is_chosen: true });
      if (acceptLosses > 0) {
        await this.#store.change(tx, { accepted_losses: acceptLosses, is_waiting: false });
        const details = { to: wanted, photos: acceptLosses };
        await this.#record(tx, actor, 'system.model_losses_accepted', details);
      }
      await this.#store.announce(tx);
    });
    return this.read();
  }

  /**
   * Prepares an installed pack without a user having asked, and puts it in use. Does nothing while another change is
   * under way. Throws model_pack_not_found, model_pack_damaged.
   */
  async succeed(packId: string): Promise<void> {
    await this.#changeByItself(packId, { isChoice: false });
  }

  /** The same where no user chose the pack in use; administrators are informed. */
  async prefer(packId: string): Promise<void> {
    await this.#changeByItself(packId, { isChoice: true });
  }

  /** Drops what was prepared. Throws model_change_none. */
  async cancel(actor: Actor): Promise<void> {
    await this.#options.db.transaction(async (tx) => {
      const { preparing } = await this.#store.lock(tx);
      if (preparing === null) throw new Problem('model_change_none');
      await this.#store.change(tx, { ...noChange, is_chosen: true });
      await this.#record(tx, actor, 'system.model_change_cancelled', { to: preparing });
      await this.#store.announce(tx);
    });
  }

  /** `isChoice`: one could do without it, so that what a person chose stays. */
  async #changeByItself(packId: string, { isChoice }: { isChoice: boolean }): Promise<void> {
    const to = await this.#mustBeUsable(packId);
    await this.#options.db.transaction(async (tx) => {
      const { serving, preparing, is_chosen } = await this.#store.lock(tx);
      // By a person or another node, since this one read the state.
      if (preparing !== null || serving === to || (isChoice && is_chosen)) return;
      await this.#begin(tx, systemActor, { from: serving, to });
      await this.#store.change(tx, { is_automatic: isChoice });
      await this.#store.announce(tx);
    });
  }

  /** Returns the pack's name. */
  async #mustBeUsable(packId: string): Promise<string> {
    const { vision } = this.#options;
    await vision.readPacks();
    const pack = vision.packs.find(({ id }) => id === packId);
    if (!pack) throw new Problem('model_pack_not_found', { pack: packId });
    await vision.mustBeWhole(packId);
    return packKey(pack);
  }

  async #begin(tx: Tx, actor: Actor, change: { from: string; to: string }): Promise<void> {
    const started = { started_at: new Date(this.#options.clock.now()), started_by: actor.userId };
    await this.#store.change(tx, { ...noChange, ...started, preparing: change.to });
    await this.#record(tx, actor, 'system.model_change_begun', change);
  }

  async #changeOf(state: ModelState): Promise<ModelsReply['change']> {
    const { preparing, started_at, started_by, total, done, failed, is_waiting } = state;
    if (preparing === null) return null;
    const { db } = this.#options;
    return {
      to: named(preparing),
      started_at: started_at!.toISOString(),
      started_by: await this.#store.nameOf(started_by),
      total,
      done,
      failed,
      losses: is_waiting ? await photoLosses(db, preparing, namedLosers) : null,
    };
  }

  /** The preferred pack, where it will be used once set-up can download it. */
  #awaited({ is_chosen }: ModelState): string | null {
    const { vision, preferredPackId: id = null } = this.#options;
    return is_chosen || vision.packs.some((pack) => pack.id === id) ? null : id;
  }

  #record(tx: Tx, actor: Actor, action: Action, details: Details): Promise<void> {
    return this.#options.activity.record(tx, { actor, action, object: null, details });
  }

  #isLoaded(name: string): boolean {
    const { pack } = this.#options.vision;
    return pack !== undefined && packKey(pack) === name;
  }

  #installed(name: string): AnyPack | undefined {
    return this.#options.vision.packs.find((pack) => packKey(pack) === name);
  }
}

function named(pack: string): { id: string; version: string } {
  const at = pack.lastIndexOf('@');
  return { id: pack.slice(0, at), version: pack.slice(at + 1) };
}
