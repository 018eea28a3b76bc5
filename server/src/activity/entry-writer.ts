/** What the parts of activity ask of the record that `activity.ts` keeps. Types only. */
import type { Tx } from '#db/database.ts';
import type { Actor, Entry } from './entry.ts';
import type { Told } from './notes.ts';

export interface EntryWriter {
  /** Part of the caller's transaction. */
  record(tx: Tx, entry: Entry): Promise<void>;
  /** In a transaction of its own: what changes nothing else. */
  recordAlone(entry: Entry): Promise<void>;
  /** What a client tells of itself: ids of the entries, in that order. */
  recordTold(tx: Tx, actor: Actor, told: readonly Told[]): Promise<string[]>;
}
