import { sql } from 'kysely';
import { kindsOfPeople } from '@nazar/contract/alert-rules.ts';
import type { Database, Tx } from '#db/database.ts';

export type Message = 'first' | 'over';

/** What waits for a user. */
export interface WaitingDelivery {
  readonly notification_id: string;
  readonly message: Message;
  readonly created_at: Date;
}

/** A user, and a channel to them. */
export interface Outlet {
  readonly userId: string;
  readonly channel: ChannelName;
}

/** Why a message did not go out. */
export type DropReason = 'account' | 'not_wished' | 'not_visible' | 'unavailable';

/** The ways to a user beside the pages. */
export type ChannelName = 'email' | 'push';

/** SQL of what waits for users, by channel. */
export class DeliveryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** Users for whom something is due, and by which channel. */
  async due(at: Date): Promise<{ user_id: string; channel: ChannelName }[]> {
    const { rows } = await sql<{ user_id: string; channel: ChannelName }>`
      select distinct user_id, channel from notification_delivery
       where state = 'waiting' and due_at <= ${at} order by user_id, channel`.execute(
      this.#db.read(),
    );
    return rows;
  }

  /** The oldest first; locked. Another server's are left out. */
  async waiting(tx: Tx, { userId, channel }: Outlet, at: Date): Promise<WaitingDelivery[]> {
    const { rows } = await sql<WaitingDelivery>`
      select notification_id, message, created_at from notification_delivery
       where user_id = ${userId} and channel = ${channel} and state = 'waiting' and due_at <= ${at}
       order by created_at, notification_id limit 1000 for update skip locked`.execute(tx.as());
    return rows;
  }

  /** When messages went out since then; those in a summary count as the one that they are. */
  async sentSince(tx: Tx, { userId, channel }: Outlet, since: Date): Promise<number[]> {
    const { rows } = await sql<{ done_at: Date }>`
      select done_at from notification_delivery
       where user_id = ${userId} and channel = ${channel} and done_at > ${since} and state = 'sent' and reason is null
      union all
      select distinct done_at from notification_delivery
       where user_id = ${userId} and channel = ${channel} and done_at > ${since} and state = 'summed'
      order by done_at`.execute(tx.as());
    return rows.map(({ done_at }) => done_at.getTime());
  }

  async finish(
    tx: Tx,
    channel: ChannelName,
    done: readonly WaitingDelivery[],
    as: {
      readonly state: 'sent' | 'summed' | 'dropped';
      /** `critical`: it counts for no limit. */
      readonly reason: DropReason | 'critical' | null;
      readonly at: Date;
    },
  ): Promise<void> {
    const { ids, messages } = columnsOf(done);
    await sql`
      update notification_delivery set state = ${as.state}, reason = ${as.reason}, done_at = ${as.at}
       where channel = ${channel}
         and (notification_id, message) in (select * from unnest(${ids}::uuid[], ${messages}::text[]))`.execute(
      tx.as(),
    );
  }

  async postpone(
    tx: Tx,
    channel: ChannelName,
    late: readonly WaitingDelivery[],
    until: Date,
  ): Promise<void> {
    const { ids, messages } = columnsOf(late);
    await sql`
      update notification_delivery set due_at = ${until}
       where channel = ${channel}
         and (notification_id, message) in (select * from unnest(${ids}::uuid[], ${messages}::text[]))`.execute(
      tx.as(),
    );
  }
}

function columnsOf(rows: readonly WaitingDelivery[]) {
  return {
    ids: rows.map(({ notification_id }) => notification_id),
    messages: rows.map(({ message }) => message),
  };
}

/** First messages of these notifications, as far as they were written. */
export async function addFirst(
  tx: Tx,
  channel: ChannelName,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into notification_delivery (notification_id, user_id, channel, message, created_at, due_at)
    select id, user_id, ${channel}, 'first', ${at}, ${at} from notification where id = any(${[...ids]}::uuid[])
     order by user_id`.execute(tx.as());
}

/** All-clears of alerts that show a warning, for whom the first message went out alone. */
export async function addOver(
  tx: Tx,
  channel: ChannelName,
  alertIds: readonly string[],
  at: Date,
): Promise<void> {
  if (alertIds.length === 0) return;
  await sql`
    insert into notification_delivery (notification_id, user_id, channel, message, created_at, due_at)
    select sent.notification_id, sent.user_id, ${channel}, 'over', ${at}, ${at}
      from notification
      join alerts_v_alert alert on alert.id = notification.alert_id and alert.kind <> all(${[...kindsOfPeople]}::text[])
      join notification_delivery sent on sent.notification_id = notification.id
       and sent.channel = ${channel} and sent.message = 'first' and sent.state = 'sent'
     where notification.alert_id = any(${[...alertIds]}::uuid[])
     order by sent.user_id
    on conflict do nothing`.execute(tx.as());
}
