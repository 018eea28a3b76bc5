import { sql } from 'kysely';
import type { Database } from '../../server/src/db/database.ts';
import { childrenOf, cpuMsOf, parentOf } from './processes.ts';

/** The process that all backends of this database are children of. */
export async function postmasterOf(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db.read());
  return parentOf(rows[0]!.pid);
}

/** Processor time so far, in milliseconds, of PostgreSQL and this process together. */
export async function cpuMsWith(db: Database): Promise<number> {
  const postmaster = await postmasterOf(db);
  const { user, system } = process.cpuUsage();
  return cpuMsOf({ all: [postmaster, ...childrenOf(postmaster)] })['all']! + (user + system) / 1000;
}
