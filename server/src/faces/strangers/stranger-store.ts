import { sql } from 'kysely';
import type { UnknownStatus } from '@nazar/contract/unknown-faces.ts';
import type { Tx } from '#db/database.ts';
import type { PackColumns } from '#db/pack-columns.ts';

export interface StrangerRow {
  readonly id: string;
  readonly person_id: string | null;
  readonly number: number | null;
  readonly status: UnknownStatus;
  readonly merged_into: string | null;
  readonly data_key: Buffer | null;
}

export interface StrangerReferenceRow extends PackColumns {
  readonly visit_id: string;
  readonly identity_id: string;
  readonly quality: number;
  readonly seen_at: Date;
}

/** An identity that changed; one that is named or erased is a stranger no more. */
export interface ChangedIdentity {
  readonly id: string;
  readonly revision: number;
  readonly stranger_id: string;
  readonly data_key: Buffer | null;
  readonly is_stranger: boolean;
}

interface Tables {
  identity: StrangerRow & { revision: number };
  stranger_reference: StrangerReferenceRow;
}

const nextRevision = sql<number>`nextval('identity_revision')`;

/** SQL of who strangers are and of their references; beside IdentityStore a writer of `identity`. */
export class StrangerStore {
  /** Until `tx` ends no other transaction, on any node, changes who strangers are. */
  async lock(tx: Tx): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended('faces.strangers', 0))`.execute(
      tx.as<Tables>(),
    );
  }

  /** Returns them in the order in which they were committed: every writer holds the lock. */
  async changedSince(tx: Tx, revision: number, limit: number): Promise<ChangedIdentity[]> {
    return tx
      .as<Tables>()
      .selectFrom('identity')
      .select(['id', 'revision', 'data_key'])
      .select([
        sql<string>`coalesce(merged_into, id)`.as('stranger_id'),
        sql<boolean>`number is not null and person_id is null and data_key is not null`.as(
          'is_stranger',
        ),
      ])
      .where('revision', '>', revision)
      .orderBy('revision')
      .limit(limit)
      .execute();
  }

  async references(tx: Tx, identityIds: readonly string[]): Promise<StrangerReferenceRow[]> {
    if (identityIds.length === 0) return [];
    return tx
      .as<Tables>()
      .selectFrom('stranger_reference')
      .selectAll()
      .where('identity_id', 'in', identityIds)
      .orderBy('seen_at')
      .execute();
  }

  /** Locks the row: not named, merged or erased until `tx` ends. */
  async find(tx: Tx, id: string): Promise<StrangerRow | null> {
    const row = await tx
      .as<Tables>()
      .selectFrom('identity')
      .select(['id', 'person_id', 'number', 'status', 'merged_into', 'data_key'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns all identities merged with this one, unknown and not erased; locks them. */
  async group(tx: Tx, id: string): Promise<StrangerRow[]> {
    const strangerId = sql<string>`coalesce(merged_into, id)`;
    return tx
      .as<Tables>()
      .selectFrom('identity')
      .select(['id', 'person_id', 'number', 'status', 'merged_into', 'data_key'])
      .where(strangerId, '=', (is) =>
        is.selectFrom('identity').select(strangerId.as('stranger_id')).where('id', '=', id),
      )
      .where('person_id', 'is', null)
      .where('data_key', 'is not', null)
      .orderBy('id')
      .forUpdate()
      .execute();
  }

  async name(tx: Tx, ids: readonly string[], personId: string): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('identity')
      .set({ person_id: personId, status: 'identified', revision: nextRevision })
      .where('id', 'in', ids)
      .execute();
  }

  async merge(tx: Tx, ids: readonly string[], into: string | null): Promise<void> {
    if (ids.length === 0) return;
    await tx
      .as<Tables>()
      .updateTable('identity')
      .set({ merged_into: into, revision: nextRevision })
      .where('id', 'in', ids)
      .execute();
  }

  /** Returns those of these that were not erased, in the order of their numbers; locks them. */
  async readable(tx: Tx, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await tx
      .as<Tables>()
      .selectFrom('identity')
      .select('id')
      .where('id', 'in', ids)
      .where('data_key', 'is not', null)
      .orderBy('number')
      .forUpdate()
      .execute();
    return rows.map((row) => row.id);
  }

  /**
   * Returns identities that were not erased and are part of one of these, in the order of their numbers; locks them.
   */
  async partsOf(tx: Tx, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await tx
      .as<Tables>()
      .selectFrom('identity')
      .select('id')
      .where('merged_into', 'in', ids)
      .where('data_key', 'is not', null)
      .orderBy('number')
      .forUpdate()
      .execute();
    return rows.map((row) => row.id);
  }

  async unname(tx: Tx, id: string, status: UnknownStatus): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('identity')
      .set({ person_id: null, status, revision: nextRevision })
      .where('id', '=', id)
      .execute();
  }

  /** Gives the next number of the installation, without gaps. */
  async giveNumber(tx: Tx, id: string): Promise<void> {
    await tx
      .as<Tables>()
      .updateTable('identity')
      .set({ number: sql<number>`(select coalesce(max(number), 0) + 1 from identity)` })
      .where('id', '=', id)
      .execute();
  }

  async setStatus(tx: Tx, id: string, status: UnknownStatus): Promise<void> {
    const db = tx.as<Tables>();
    await db.updateTable('identity').set({ status }).where('id', '=', id).execute();
  }

  async touch(tx: Tx, identityIds: readonly string[]): Promise<void> {
    if (identityIds.length === 0) return;
    await tx
      .as<Tables>()
      .updateTable('identity')
      .set({ revision: nextRevision })
      .where('id', 'in', identityIds)
      .execute();
  }

  async addReference(tx: Tx, row: StrangerReferenceRow): Promise<void> {
    await tx
      .as<Tables>()
      .insertInto('stranger_reference')
      .values(row)
      .onConflict((conflict) => conflict.column('visit_id').doUpdateSet(row))
      .execute();
  }

  /** Returns whose they were. */
  async removeReferences(tx: Tx, visitIds: readonly string[]): Promise<string[]> {
    if (visitIds.length === 0) return [];
    const rows = await tx
      .as<Tables>()
      .deleteFrom('stranger_reference')
      .where('visit_id', 'in', visitIds)
      .returning('identity_id')
      .execute();
    return [...new Set(rows.map(({ identity_id }) => identity_id))];
  }

  async removeReferencesBefore(tx: Tx, before: Date): Promise<string[]> {
    const rows = await tx
      .as<Tables>()
      .deleteFrom('stranger_reference')
      .where('seen_at', '<', before)
      .returning('identity_id')
      .execute();
    return [...new Set(rows.map(({ identity_id }) => identity_id))];
  }

  /** Removes an identity that has nothing left and stands for no particular person. */
  async remove(tx: Tx, id: string): Promise<void> {
    await tx
      .as<Tables>()
      .deleteFrom('identity')
      .where('id', '=', id)
      .where('number', 'is', null)
      .where('person_id', 'is', null)
      .execute();
  }
}
