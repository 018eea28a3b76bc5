/** The chain on a test's database: its sealer, its anchors and a key of their own, and attacks past the triggers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type RawBuilder } from 'kysely';
import {
  Activity,
  startSealer,
  verifyChain,
  type Actor,
  type Sealer,
  type Verdict,
} from '#activity/activity.ts';
import type { Database } from '#db/database.ts';
import { uuidv7 } from '#lib/ids.ts';
import { SecretKey } from '#lib/secrets.ts';
import { aClock, type StoppedClock } from './clock.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { quietLog } from './world.ts';

export interface TestChain extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly clock: StoppedClock;
  readonly activity: Activity;
  readonly folder: string;
  readonly master: SecretKey;
  /** Another process's, when asked again. */
  sealer(): Sealer;
  verify(): Promise<Verdict>;
  /** Statements of an attacker who owns the database: no trigger sees them. */
  attack(...statements: RawBuilder<unknown>[]): Promise<void>;
}

export async function aChain(): Promise<TestChain> {
  const database = await testDatabase();
  const { db } = database;
  const folder = mkdtempSync(join(tmpdir(), 'nazar-record-'));
  const clock = aClock();
  const master = SecretKey.random();
  return {
    database,
    clock,
    folder,
    master,
    activity: new Activity({ db, clock }),
    sealer: () => startSealer({ db, clock, master, folder, log: quietLog }),
    verify: () => verifyChain({ db, master, folder }),
    attack: (...statements) => attack(db, statements),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function attack(db: Database, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  await db.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.as());
    for (const statement of statements) await statement.execute(tx.as());
  });
}

export function anActor(more: Partial<Actor> = {}): Actor {
  return { userId: uuidv7(0), sessionId: null, ip: '192.0.2.7', userAgent: 'test', ...more };
}

export interface RecordedRow {
  readonly action: string;
  readonly source: string;
  readonly user_id: string | null;
  readonly session_id: string | null;
  readonly ip: string;
  readonly user_agent: string;
  readonly object_type: string | null;
  readonly object_id: string | null;
  readonly details: Record<string, unknown>;
  readonly sequence: number | null;
}

/** Everything that was recorded, in order. */
export async function recorded(db: Database): Promise<RecordedRow[]> {
  const { rows } = await sql<RecordedRow>`
    select * from audit_entry order by recorded_at, id`.execute(db.read());
  return rows;
}
