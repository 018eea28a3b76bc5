/**
 * Groups, whatever their members are: a unique name within their kind, the ids of the members, and activity log entries
 * about members who joined and left. The modules that have groups decide who owns them, who may read them, and what is
 * granted to them.
 */
import type { ProblemCode } from '@nazar/contract/problem.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { entriesOf, type MembershipChange } from '#lib/membership.ts';
import { Problem } from '#lib/problem.ts';
import type { Database, Tx } from '#db/database.ts';
import { isTaken, missingTarget } from '#db/refused.ts';
import type { Action, Activity, Actor, Details } from '#activity/activity.ts';
import { GroupStore, type GroupTables, type GroupText } from './store.ts';

export type { GroupRow } from './store.ts';

export interface GroupKind {
  readonly tables: GroupTables;
  readonly object: 'user_group' | 'camera_group';
  readonly added: Action;
  readonly changed: Action;
  readonly deleted: Action;
  /** The problem for a member that does not exist, and the field that named it. */
  readonly missing: { readonly code: ProblemCode; readonly field: string };
}

export interface GroupFields {
  readonly name: string;
  readonly description: string;
  /** Their ids. */
  readonly members: readonly string[];
}

export interface GroupsOptions {
  readonly kind: GroupKind;
  readonly db: Database;
  readonly activity: Activity;
  readonly clock: Clock;
}

export class Groups {
  readonly #kind: GroupKind;
  readonly #store: GroupStore;
  readonly #activity: Activity;
  readonly #clock: Clock;

  constructor({ kind, db, activity, clock }: GroupsOptions) {
    this.#kind = kind;
    this.#store = new GroupStore(db, kind.tables);
    this.#activity = activity;
    this.#clock = clock;
  }

  /** Returns its id. Throws group_exists, and the kind's problem for a missing member. */
  async add(actor: Actor, { name, description, members }: GroupFields): Promise<string> {
    const nowMs = this.#clock.now();
    const row = { id: uuidv7(nowMs), name, description, created_at: new Date(nowMs) };
    await this.#write(async (tx) => {
      await this.#store.add(tx, row);
      const change = await this.#store.setMembers(tx, row.id, members);
      await this.#record(tx, actor, this.#kind.added, row, change);
    });
    return row.id;
  }

  /** Throws group_not_found too. */
  async replace(
    actor: Actor,
    id: string,
    { name, description, members }: GroupFields,
  ): Promise<void> {
    await this.#write(async (tx) => {
      const before = await this.#store.change(tx, id, { name, description });
      if (!before) throw new Problem('group_not_found');
      const change = await this.#store.setMembers(tx, id, members);
      const texts = differences(before, { name, description });
      const parts = [Object.keys(texts), change.added, change.removed];
      if (parts.every(({ length }) => length === 0)) return;
      await this.#record(tx, actor, this.#kind.changed, { id, name }, change, texts);
    });
  }

  /** Throws group_not_found. Grants to the group are deleted with it. */
  async remove(actor: Actor, id: string): Promise<void> {
    await this.#write(async (tx) => {
      const name = await this.#store.remove(tx, id);
      if (name === null) throw new Problem('group_not_found');
      const change = { added: [], removed: [] };
      await this.#record(tx, actor, this.#kind.deleted, { id, name }, change);
    });
  }

  async #write(work: (tx: Tx) => Promise<void>): Promise<void> {
    const { code, field } = this.#kind.missing;
    try {
      await this.#store.transaction(work);
    } catch (error) {
      if (isTaken(error)) throw new Problem('group_exists', { field: 'name' }, error);
      if (missingTarget(error)) throw new Problem(code, { field }, error);
      throw error;
    }
  }

  async #record(
    tx: Tx,
    actor: Actor,
    action: Action,
    { id, name }: { readonly id: string; readonly name: string },
    change: MembershipChange,
    texts: Details = {},
  ): Promise<void> {
    const object = { type: this.#kind.object, id };
    for (const [index, part] of entriesOf(change).entries()) {
      const details = { name, ...part, ...(index === 0 && texts) };
      await this.#activity.record(tx, { actor, action, object, details });
    }
  }
}

/** A changed name is recorded with its old value; a description is too long for that: only its field is named. */
function differences(before: GroupText, after: GroupText): Details {
  const fields = (['name', 'description'] as const).filter((key) => before[key] !== after[key]);
  if (fields.length === 0) return {};
  const isRenamed = before.name !== after.name;
  return {
    fields,
    ...(isRenamed && { changes: { name: { from: before.name, to: after.name } } }),
  };
}
