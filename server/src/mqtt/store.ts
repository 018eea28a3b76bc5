import { sql } from 'kysely';
import type { MqttSettings } from '@nazar/contract/mqtt.ts';
import type { Database, Tx } from '#db/database.ts';

export interface SettingsRow extends MqttSettings {
  /** Sealed. */
  readonly password: Buffer | null;
  readonly node: string;
}

interface Tables {
  mqtt_settings: SettingsRow & { readonly id: number };
  mqtt_retained: { readonly topic: string };
}

/** SQL of MQTT; the only writer of its tables. */
export class MqttStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** Null: it was never changed. */
  async settings(): Promise<SettingsRow | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('mqtt_settings')
      .selectAll()
      .executeTakeFirst();
    return row ?? null;
  }

  /** The same; the first two changes take turns, too. */
  async settingsForUpdate(tx: Tx): Promise<SettingsRow | null> {
    await sql`lock table mqtt_settings in share row exclusive mode`.execute(tx.as<Tables>());
    const row = await tx.as<Tables>().selectFrom('mqtt_settings').selectAll().executeTakeFirst();
    return row ?? null;
  }

  async save(tx: Tx, row: SettingsRow): Promise<void> {
    const { categories, ...rest } = row;
    const values = { id: 1, ...rest, categories: [...categories] };
    await tx
      .as<Tables>()
      .insertInto('mqtt_settings')
      .values(values)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute();
  }

  /** Topics that the broker keeps for us, as far as is known. */
  async retained(): Promise<string[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('mqtt_retained')
      .select('topic')
      .execute();
    return rows.map(({ topic }) => topic);
  }

  async retainedCount(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from mqtt_retained`.execute(this.#db.read<Tables>());
    return rows[0]!.count;
  }

  async addRetained(topics: readonly string[]): Promise<void> {
    if (topics.length === 0) return;
    await sql`
      insert into mqtt_retained select unnest(${[...topics]}::text[])
      on conflict do nothing`.execute(this.#db.write<Tables>());
  }

  async removeRetained(topics: readonly string[]): Promise<void> {
    if (topics.length === 0) return;
    await sql`
      delete from mqtt_retained where topic = any(${[...topics]}::text[])`.execute(
      this.#db.write<Tables>(),
    );
  }

  /** Wakes every server when `tx` commits. */
  announce(tx: Tx): Promise<void> {
    return this.#db.notify(tx, changedChannel, '');
  }

  onChanged(read: () => void): Disposable {
    return this.#db.listen(changedChannel, read);
  }

  /** The right to be connected, which one server has. */
  lock() {
    return this.#db.tryLock('mqtt.connection');
  }
}

const changedChannel = 'mqtt_changed';
