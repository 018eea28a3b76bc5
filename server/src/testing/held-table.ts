import { newClient, type Target } from '#db/connection.ts';
import { until } from './until.ts';

export interface HeldTable extends AsyncDisposable {
  /** Resolves when another process waits to write it. */
  reached(): Promise<void>;
}

/** Holds every process that comes to write that table until it is disposed of. */
export async function heldTable(target: Target, table: string): Promise<HeldTable> {
  const client = newClient(target);
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${table} in share mode`);
  const isWaiting = async (): Promise<boolean> => {
    const { rowCount } = await client.query(
      `select from pg_locks where relation = '${table}'::regclass and not granted`,
    );
    return (rowCount ?? 0) > 0;
  };
  return { reached: () => until(isWaiting), [Symbol.asyncDispose]: () => client.end() };
}
