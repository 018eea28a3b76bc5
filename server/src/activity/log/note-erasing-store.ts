/**
 * Erases what clients noted: the text is deleted; the lines of the activity log and their places in the chain stay,
 * with a digest that can no longer be compared with anything.
 */
import { sql } from 'kysely';
import { uuidFloor } from '#lib/ids.ts';
import type { Tx } from '#db/database.ts';
import type { KeptEntry } from '../chain.ts';
import type { ObjectType } from '../entry.ts';
import type { NoteRow } from './rows.ts';

interface Tables {
  activity_note: NoteRow & { readonly object_id: string | null };
  audit_entry: Pick<KeptEntry, 'id' | 'source' | 'object_type' | 'object_id'>;
}

const forgotten = { text: null, salt: null, words: null, object_id: null } as const;

/** Each method is part of the caller's transaction and returns the number of entries that lost their words. */
export class NoteErasing {
  /** All notes of an account, its own ids included: the account is deleted and sends none of them again. */
  async ofUser(tx: Tx, userId: string, limit: number): Promise<number> {
    const removed = await tx
      .as<Tables>()
      .deleteFrom('activity_note')
      .where('entry_id', 'in', (is) =>
        is
          .selectFrom('activity_note')
          .select('entry_id')
          .where('user_id', '=', userId)
          .limit(limit),
      )
      .executeTakeFirst();
    return Number(removed.numDeletedRows);
  }

  /** The notes of clients on this object. What other text is about cannot be known. */
  async about(tx: Tx, { type, id }: { type: ObjectType; id: string }): Promise<number> {
    const emptied = await tx
      .as<Tables>()
      .updateTable('activity_note')
      .set(forgotten)
      .from('audit_entry as entry')
      .whereRef('entry.id', '=', 'entry_id')
      .where('entry.source', '=', 'client')
      .where('entry.object_type', '=', type)
      .where('entry.object_id', '=', id)
      .where('text', 'is not', null)
      .executeTakeFirst();
    return Number(emptied.numUpdatedRows);
  }

  /** The rows stay: an entry that a client kept offline for long and sends again exists only once. */
  async before(tx: Tx, before: Date, limit: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      update activity_note set text = null, salt = null, words = null, object_id = null
       where entry_id in (
         -- Ids of entries have the time in them.
         select entry_id from activity_note
          where entry_id < ${uuidFloor(before.getTime())} and text is not null limit ${limit})`.execute(
      tx.as<Tables>(),
    );
    return Number(numAffectedRows);
  }
}
