import { sql, type Selectable } from 'kysely';
import type { Database, Tx } from '#db/database.ts';

/** The pack in use, and the one being prepared; packs are written `id@version`. */
export interface ModelState {
  readonly serving: string;
  readonly previous: string | null;
  readonly switched_at: Date | null;
  readonly preparing: string | null;
  readonly started_at: Date | null;
  readonly started_by: string | null;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly accepted_losses: number;
  readonly is_waiting: boolean;
  /** A user chose the pack in use, or refused another: Nazar changes nothing by itself. */
  readonly is_chosen: boolean;
  /** Nazar began the change for better recognition; kept after it until administrators were informed. */
  readonly is_automatic: boolean;
}

interface Tables {
  model_state: ModelState & { is_one: boolean };
  app_user: { id: string; first_name: string; last_name: string };
}

/** Channel on which every node learns of a new state. */
const changedChannel = 'models_changed';

/** SQL of the pack in use; the only writer of its table. */
export class ModelStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Calls `changed` when the state changed, or may have. */
  listen(changed: () => void): Disposable {
    return this.#db.listen(changedChannel, changed);
  }

  /** Stores what an installation that never changed its models has used. */
  async begin(serving: string): Promise<void> {
    await sql`
      insert into model_state (serving) values (${serving})
      on conflict do nothing`.execute(this.#db.write<Tables>());
  }

  /** Null before the first start. */
  async find(): Promise<ModelState | null> {
    const query = this.#db.read<Tables>().selectFrom('model_state').selectAll();
    return (await query.executeTakeFirst()) ?? null;
  }

  async read(): Promise<ModelState> {
    return (await this.find())!;
  }

  /** The name of an account; '' for none, or one that is gone. */
  async nameOf(userId: string | null): Promise<string> {
    if (userId === null) return '';
    const row = await this.#db
      .read<Tables>()
      .selectFrom('app_user')
      .select(['first_name', 'last_name'])
      .where('id', '=', userId)
      .executeTakeFirst();
    return row ? `${row.first_name} ${row.last_name}` : '';
  }

  /** Keeps others from changing it before `tx` ends. */
  async lock(tx: Tx): Promise<ModelState> {
    return tx
      .as<Tables>()
      .selectFrom('model_state')
      .selectAll()
      .forUpdate()
      .executeTakeFirstOrThrow();
  }

  async change(tx: Tx, change: Partial<Selectable<ModelState>>): Promise<void> {
    await tx.as<Tables>().updateTable('model_state').set(change).execute();
  }

  /** Notifies every node when `tx` commits. */
  async announce(tx: Tx): Promise<void> {
    await this.#db.notify(tx, changedChannel, '');
  }

  async advance(tx: Tx, more: Pick<ModelState, 'done' | 'failed'>): Promise<void> {
    await sql`
      update model_state set done = done + ${more.done}, failed = failed + ${more.failed},
        total = greatest(total, done + failed + ${more.done + more.failed})`.execute(
      tx.as<Tables>(),
    );
  }
}
