/** The methods of the activity log in `activity.ts` that other parts of activity need. Types only. */
import type { Tx } from '#db/database.ts';
import type { Actor, Entry } from './entry.ts';
import type { ReportedEntry } from './log/notes.ts';

export interface EntryWriter {
  /** Part of the caller's transaction. */
  record(tx: Tx, entry: Entry): Promise<void>;
  /** Records an action that changes nothing else, in a transaction of its own. */
  recordAlone(entry: Entry): Promise<void>;
  /** Records what a client reports about itself; returns the entries' ids, in that order. */
  recordReported(tx: Tx, actor: Actor, reported: readonly ReportedEntry[]): Promise<string[]>;
}
