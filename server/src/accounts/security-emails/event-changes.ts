/**
 * Security events of accounts in the feed: each is added in the transaction of the action, by the entry that records it.
 */
import type { SecurityEventKind } from '@nazar/contract/security-events.ts';
import type { Activity, Entry } from '#activity/activity.ts';
import type { Tx } from '#db/database.ts';
import { addChange } from '#feed/feed.ts';
import { kindOf } from './event-kinds.ts';

/** An event, and whose account it is about. */
export interface AccountEvent {
  readonly userId: string;
  readonly kind: SecurityEventKind;
}

export class EventChanges {
  readonly #activity: Pick<Activity, 'entries'>;

  constructor(activity: Pick<Activity, 'entries' | 'follow'>) {
    this.#activity = activity;
    activity.follow(async (tx, entry, at, entryId) => {
      if (entry.object?.type !== 'user' || kindOf(entry) === null) return;
      await addChange(tx, { kind: 'account', subject: entryId, at });
    });
  }

  /** By entry; entries that are gone are absent. */
  async read(tx: Tx, entryIds: readonly string[]): Promise<ReadonlyMap<string, AccountEvent>> {
    const entries = await this.#activity.entries(tx, entryIds);
    return new Map(
      entries.flatMap(({ id, action, details, object_id: userId }) => {
        const deed = { action, details: JSON.parse(details) as Record<string, never> };
        const kind = kindOf(deed as Pick<Entry, 'action' | 'details'>);
        return kind === null || userId === null ? [] : [[id, { userId, kind }] as const];
      }),
    );
  }
}
