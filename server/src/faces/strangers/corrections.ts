/**
 * What users say about who a stranger is, stored with the state before: naming and merging change only whose identity
 * it is, so that the past follows at once, and taking it back is exact. The newest is taken back first. All of it
 * happens under the lock of strangers (strangers.ts).
 */
import type { CorrectionKind } from '@nazar/contract/unknown-faces.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import { CorrectionStore, type CorrectionPart, type CorrectionRow } from './correction-store.ts';
import { StrangerStore, type StrangerRow } from './stranger-store.ts';
import type { DecidedBy } from '../negatives.ts';

export type { CorrectionRow } from './correction-store.ts';

export class Corrections {
  readonly #store = new CorrectionStore();
  readonly #strangers = new StrangerStore();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Makes all identities of this stranger this person from now on; returns the correction's id. Null: they are named
   * already, or erased. Naming never takes a stranger from another person.
   */
  async name(
    tx: Tx,
    strangerId: string,
    { personId, isNew }: { readonly personId: string; readonly isNew: boolean },
  ): Promise<string | null> {
    const group = await this.#strangers.group(tx, strangerId);
    if (!group.some(({ id }) => id === strangerId)) return null;
    const person = { person_id: personId, is_new_person: isNew };
    const correctionId = await this.#keep(tx, 'identify', group.map(asPart), person);
    for (const { id, number } of group) {
      // A user said that this is a distinct person, however badly they were seen.
      if (number === null) await this.#strangers.giveNumber(tx, id);
    }
    await this.#strangers.name(tx, group.map(idOf), personId);
    return correctionId;
  }

  /** Records the photo that the person got by the correction; it is removed when the correction is taken back. */
  setImage(tx: Tx, correctionId: string, imageId: string): Promise<void> {
    return this.#store.setImage(tx, correctionId, imageId);
  }

  /** Makes two strangers one from now on; neither is named. */
  async merge(tx: Tx, intoId: string, otherId: string): Promise<void> {
    const group = await this.#strangers.group(tx, otherId);
    await this.#keep(tx, 'merge', group.map(asPart));
    await this.#strangers.merge(tx, group.map(idOf), intoId);
  }

  /** Records a stranger made of visits of another; when taken back, they are part of that one. */
  async split(tx: Tx, fromId: string, madeId: string): Promise<void> {
    const part: CorrectionPart = { identity_id: madeId, status: 'new', merged_into: fromId };
    await this.#keep(tx, 'split', [part]);
  }

  /** Keeps who made the newest correction of this stranger, and by which entry of the activity log. */
  async decidedBy(tx: Tx, strangerId: string, { userId, entryId }: DecidedBy): Promise<void> {
    const newest = await this.#store.newest(tx, strangerId);
    if (!newest) throw new Error(`stranger ${strangerId} has no correction`);
    await this.#store.setDecided(tx, newest.id, { decided_by: userId, entry_id: entryId });
  }

  /** Returns the correction asked for, if it is the newest of this stranger. Throws correction_not_newest. */
  async newest(tx: Tx, strangerId: string, correctionId: string): Promise<CorrectionRow> {
    const newest = await this.#store.newest(tx, strangerId);
    if (newest?.id !== correctionId) throw new Problem('correction_not_newest');
    return newest;
  }

  /** Makes them unknown again; returns the identities. */
  async unname(tx: Tx, correction: CorrectionRow): Promise<string[]> {
    const parts = await this.#store.parts(tx, correction.id);
    for (const { identity_id, status } of parts) {
      await this.#strangers.unname(tx, identity_id, status);
    }
    await this.#undone(tx, correction);
    return parts.map(({ identity_id }) => identity_id);
  }

  /**
   * Makes them two again, whichever of them was erased meanwhile; returns the one that stands for the stranger they
   * were part of.
   */
  async unmerge(tx: Tx, strangerId: string, correction: CorrectionRow): Promise<string> {
    const parts = await this.#store.parts(tx, correction.id);
    const ids = parts.map(({ identity_id }) => identity_id);
    const before = Map.groupBy(parts, (part) => part.merged_into ?? part.identity_id);
    for (const [stranger, members] of before) {
      await this.#gather(
        tx,
        stranger,
        members.map(({ identity_id }) => identity_id),
      );
    }
    for (const { identity_id, status } of parts) {
      await this.#strangers.setStatus(tx, identity_id, status);
    }
    // One of them may stand for those they were merged with, since the one that did before was erased.
    const left = (await this.#strangers.partsOf(tx, ids)).filter((id) => !ids.includes(id));
    await this.#gather(tx, left[0], left);
    await this.#undone(tx, correction);
    return left[0] ?? strangerId;
  }

  /** Returns the stranger that the visits were split off from, as it is today; null: it is gone, or named. */
  async splitFrom(tx: Tx, { id }: CorrectionRow): Promise<string | null> {
    const [part] = await this.#store.parts(tx, id);
    const [first] = await this.#strangers.group(tx, part!.merged_into!);
    return first ? (first.merged_into ?? first.id) : null;
  }

  /** Makes them one again. */
  async unsplit(tx: Tx, correction: CorrectionRow, madeId: string, into: string): Promise<void> {
    const group = await this.#strangers.group(tx, madeId);
    await this.#strangers.merge(tx, group.map(idOf), into);
    await this.#undone(tx, correction);
  }

  /** `stranger` stands for these, or another of them when it was erased. */
  async #gather(tx: Tx, stranger: string | undefined, ids: readonly string[]): Promise<void> {
    const readable = await this.#strangers.readable(tx, ids);
    const head = readable.find((id) => id === stranger) ?? readable[0];
    if (head === undefined) return;
    const others = readable.filter((id) => id !== head);
    await this.#strangers.merge(tx, [head], null);
    await this.#strangers.merge(tx, others, head);
  }

  async #undone(tx: Tx, { id }: CorrectionRow): Promise<void> {
    await this.#store.setUndone(tx, id, new Date(this.#clock.now()));
  }

  async #keep(
    tx: Tx,
    kind: CorrectionKind,
    parts: readonly CorrectionPart[],
    person: Pick<CorrectionRow, 'person_id' | 'is_new_person'> = {
      person_id: null,
      is_new_person: false,
    },
  ): Promise<string> {
    const nowMs = this.#clock.now();
    const id = uuidv7(nowMs);
    const times = { created_at: new Date(nowMs), undone_at: null };
    const by = { decided_by: null, entry_id: null };
    await this.#store.add(tx, { id, kind, image_id: null, ...person, ...times, ...by }, parts);
    return id;
  }
}

const idOf = ({ id }: Pick<StrangerRow, 'id'>): string => id;

const asPart = ({ id, status, merged_into }: StrangerRow): CorrectionPart => ({
  identity_id: id,
  status,
  merged_into,
});
