/**
 * Warnings to administrators about changes of models, derived from the state: a node that dies in between sends them
 * later, and whatever ends a wait, on any node or at the console, ends its warning.
 */
import type { Warnings } from '#activity/activity.ts';
import type { Database } from '#db/database.ts';
import type { ModelState, ModelStore } from './model-store.ts';

export interface ModelNoticesOptions {
  readonly db: Database;
  readonly store: ModelStore;
  readonly warnings: Pick<Warnings, 'raise' | 'end' | 'isLiving'>;
  /** How long one may go back. */
  readonly keepPreviousMs: number;
}

export class ModelNotices {
  readonly #options: ModelNoticesOptions;

  constructor(options: ModelNoticesOptions) {
    this.#options = options;
  }

  /** Raises the warnings that were not raised yet; on one node at a time. */
  async tell(): Promise<void> {
    const state = await this.#options.store.read();
    await this.#tellOfWait(state);
    await this.#tellOfChange(state);
  }

  async #tellOfWait({ serving, preparing, is_waiting }: ModelState): Promise<void> {
    const { warnings } = this.#options;
    if (!is_waiting || preparing === null) return warnings.end('models_waiting');
    // The same wait counts once, acknowledged or not.
    if (await warnings.isLiving('models_waiting')) return;
    await warnings.raise({ kind: 'models_waiting', details: { from: serving, to: preparing } });
  }

  /** A change that a user asked for raises no warning. */
  async #tellOfChange(state: ModelState): Promise<void> {
    const { db, store, warnings, keepPreviousMs } = this.#options;
    const { serving, previous, switched_at, preparing, is_automatic } = state;
    // That pack is no longer in use, so an earlier warning about it ends.
    if (previous !== null) await warnings.end('models_changed', previous);
    if (!is_automatic || preparing !== null || previous === null) return;
    const until = new Date(switched_at!.getTime() + keepPreviousMs).toISOString();
    const details = { from: previous, to: serving, until };
    await warnings.raise({ kind: 'models_changed', subject: serving, details });
    await db.transaction(async (tx) => {
      const now = await store.lock(tx);
      const isSame = now.preparing === null && now.serving === serving;
      if (isSame) await store.change(tx, { is_automatic: false });
    });
  }
}
