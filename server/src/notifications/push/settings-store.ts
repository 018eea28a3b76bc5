import { sql } from 'kysely';
import type { PushContent } from '@nazar/contract/push.ts';
import type { Database, Tx } from '#db/database.ts';

export interface StoredKeys {
  readonly public_key: string;
  readonly sealed_private_key: Buffer;
}

/** SQL of the one row of settings of push messages. */
export class PushSettingsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  async content(): Promise<PushContent> {
    const { rows } = await sql<{ content: PushContent }>`
      select content from push_settings`.execute(this.#db.read());
    return rows[0]!.content;
  }

  async changeContent(tx: Tx, content: PushContent): Promise<void> {
    await sql`update push_settings set content = ${content}`.execute(tx.as());
  }

  async keys(): Promise<StoredKeys | null> {
    const { rows } = await sql<StoredKeys>`
      select public_key, sealed_private_key from push_settings
       where public_key is not null`.execute(this.#db.read());
    return rows[0] ?? null;
  }

  /** Stores the first pair that comes, and returns the stored one. */
  async addKeys({ public_key, sealed_private_key }: StoredKeys): Promise<StoredKeys> {
    await sql`
      update push_settings set public_key = ${public_key}, sealed_private_key = ${sealed_private_key}
       where public_key is null`.execute(this.#db.write());
    return (await this.keys())!;
  }
}
