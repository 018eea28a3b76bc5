/** One way to a user beside the pages. What it is handed was not sent before, is wished, and may be seen by its receiver. */
import type { Language } from '@nazar/contract/accounts.ts';
import type { Tx } from '#db/database.ts';
import type { Noticeable } from '../store.ts';
import type { Wishes } from '../settings/wishes.ts';
import type { ChannelName, Message } from './delivery-store.ts';

/** Something that happened, for a message about it. */
export interface Noticed extends Noticeable {
  /** The notification's. */
  readonly id: string;
  readonly message: Message;
  readonly at: Date;
}

export interface Receiver {
  readonly userId: string;
  readonly email: string;
  readonly language: Language;
  /** Null: the user chose none. */
  readonly timezone: string | null;
}

/** Both ways of sending queue the message in the caller's transaction: neither is there without the other. */
export interface Channel {
  readonly name: ChannelName;
  isWished(wishes: Wishes): boolean;
  /** Whether this installation can send by it. */
  isAvailable(): boolean;
  send(tx: Tx, noticed: Noticed, to: Receiver): Promise<void>;
  /** One message for several that are late, or beyond the limit; the oldest is first. */
  sendSummary(tx: Tx, noticed: readonly Noticed[], to: Receiver): Promise<void>;
}
