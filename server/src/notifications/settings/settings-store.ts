import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import { firstWishes, type Wishes } from './wishes.ts';

interface WishesRow extends Wishes {
  readonly user_id: string;
}

const columns = sql`
  user_id, email, push, sms, notify_on_unknown, notify_on_known, daily_reports, alert_levels,
  case when not all_cameras then array(
    select camera_id from notification_camera chosen where chosen.user_id = settings.user_id
     order by camera_id) end as cameras,
  array(select person_id from notification_muted_person muted where muted.user_id = settings.user_id
         order by person_id) as muted_people,
  quiet_from, quiet_to, quiet_days,
  (select address from notification_address other where other.user_id = settings.user_id) as address,
  exists (select from notification_address other
           where other.user_id = settings.user_id and other.code_hash is null) as address_confirmed`;

/** SQL of what users wish to be notified of. */
export class WishesStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async of(userId: string): Promise<Wishes> {
    return (await this.ofEach([userId])).get(userId) ?? firstWishes;
  }

  /** Users who changed nothing are absent. */
  async ofEach(userIds: readonly string[]): Promise<ReadonlyMap<string, Wishes>> {
    const { rows } = await sql<WishesRow>`
      select ${columns} from notification_settings settings
       where user_id = any(${[...userIds]}::uuid[])`.execute(this.#db.read());
    return new Map(rows.map(({ user_id, ...wishes }) => [user_id, wishes]));
  }

  /** `change` receives what is stored, locked, and returns what is stored from then on; it stores the address itself. */
  async change(
    userId: string,
    change: (before: Wishes, tx: Tx) => Promise<Wishes>,
  ): Promise<Wishes> {
    return this.#db.transaction(async (tx) => {
      await sql`
        insert into notification_settings (user_id) values (${userId}) on conflict do nothing`.execute(
        tx.as(),
      );
      const { rows } = await sql<WishesRow>`
        select ${columns} from notification_settings settings where user_id = ${userId} for update`.execute(
        tx.as(),
      );
      const { user_id: _, ...before } = rows[0]!;
      const after = await change(before, tx);
      await this.#write(tx, userId, after);
      return after;
    });
  }

  async #write(tx: Tx, userId: string, wishes: Wishes): Promise<void> {
    await sql`
      update notification_settings set
        email = ${wishes.email}, push = ${wishes.push}, sms = ${wishes.sms},
        notify_on_unknown = ${wishes.notify_on_unknown}, notify_on_known = ${wishes.notify_on_known},
        daily_reports = ${wishes.daily_reports}, alert_levels = ${[...wishes.alert_levels]}::text[],
        all_cameras = ${wishes.cameras === null}, quiet_from = ${wishes.quiet_from},
        quiet_to = ${wishes.quiet_to}, quiet_days = ${[...wishes.quiet_days]}::smallint[]
       where user_id = ${userId}`.execute(tx.as());
    await sql`delete from notification_camera where user_id = ${userId}`.execute(tx.as());
    await sql`delete from notification_muted_person where user_id = ${userId}`.execute(tx.as());
    await sql`
      insert into notification_camera (user_id, camera_id)
      select ${userId}, unnest(${[...(wishes.cameras ?? [])]}::uuid[])`.execute(tx.as());
    await sql`
      insert into notification_muted_person (user_id, person_id)
      select ${userId}, unnest(${[...wishes.muted_people]}::uuid[])`.execute(tx.as());
  }
}
