/**
 * What people say of who a stranger is, kept with how it was before: naming them changes only whose identity
 * it is, so that the past follows at once, and taking it back is exact. The newest is taken back first. All of
 * it under the lock of strangers (strangers.ts).
 */
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import { CorrectionStore, type CorrectionRow } from './correction-store.ts';
import { StrangerStore, type StrangerRow } from './stranger-store.ts';

export type { CorrectionRow } from './correction-store.ts';

export class Corrections {
  readonly #store = new CorrectionStore();
  readonly #strangers = new StrangerStore();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * All that is one with this stranger is this person from now on; the correction's id. Null: they are somebody
   * already, or erased. Naming somebody never takes them from another.
   */
  async name(
    tx: Tx,
    strangerId: string,
    { personId, isNew }: { readonly personId: string; readonly isNew: boolean },
  ): Promise<string | null> {
    const group = await this.#strangers.group(tx, strangerId);
    if (!group.some(({ id }) => id === strangerId)) return null;
    const correctionId = await this.#keep(tx, group, { personId, isNew });
    for (const { id, number } of group) {
      // A person said that they are somebody, however badly they were seen.
      if (number === null) await this.#strangers.giveNumber(tx, id);
    }
    const ids = group.map(({ id }) => id);
    await this.#strangers.name(tx, ids, personId);
    return correctionId;
  }

  /** The photo that a person got by it goes when it is taken back. */
  setImage(tx: Tx, correctionId: string, imageId: string): Promise<void> {
    return this.#store.setImage(tx, correctionId, imageId);
  }

  /** The one asked for, if it is the newest of this stranger. Throws correction_not_newest. */
  async newest(tx: Tx, strangerId: string, correctionId: string): Promise<CorrectionRow> {
    const newest = await this.#store.newest(tx, strangerId);
    if (newest?.id !== correctionId) throw new Problem('correction_not_newest');
    return newest;
  }

  /** They are nobody known again; the identities. */
  async unname(tx: Tx, { id }: CorrectionRow): Promise<string[]> {
    const parts = await this.#store.parts(tx, id);
    for (const { identity_id, status } of parts) {
      await this.#strangers.unname(tx, identity_id, status);
    }
    await this.#store.setUndone(tx, id, new Date(this.#clock.now()));
    return parts.map(({ identity_id }) => identity_id);
  }

  async #keep(
    tx: Tx,
    before: readonly StrangerRow[],
    { personId, isNew }: { readonly personId: string; readonly isNew: boolean },
  ): Promise<string> {
    const nowMs = this.#clock.now();
    const row: CorrectionRow = {
      id: uuidv7(nowMs),
      kind: 'identify',
      person_id: personId,
      is_new_person: isNew,
      image_id: null,
      created_at: new Date(nowMs),
      undone_at: null,
    };
    const parts = before.map(({ id, status, merged_into }) => ({
      identity_id: id,
      status,
      merged_into,
    }));
    await this.#store.add(tx, row, parts);
    return row.id;
  }
}
