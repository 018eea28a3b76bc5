/** What statements of a server under test read, as PostgreSQL itself counts it. */
import { Client } from 'pg';
import { sql } from 'kysely';
import type { Database } from '../../server/src/db/database.ts';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Statements of the whole process while `work` goes on. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const found: Statement[] = [];
  const query = Reflect.get(Client.prototype, 'query') as (...words: unknown[]) => unknown;
  const recording = function (this: Client, ...words: unknown[]): unknown {
    const [text, values] = words;
    if (typeof text === 'string') found.push({ text, values: Array.isArray(values) ? values : [] });
    return Reflect.apply(query, this, words);
  };
  Reflect.set(Client.prototype, 'query', recording);
  try {
    await work();
  } finally {
    Reflect.set(Client.prototype, 'query', query);
  }
  return found;
}

/** Statements that only read; the others write down that a user asked. */
export const questionsAmong = (statements: readonly Statement[]): Statement[] =>
  statements.filter(
    ({ text }) => /^\s*(?:select|with)/i.test(text) && !/\binsert into\b/i.test(text),
  );

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

export interface RowsRead {
  /** Rows that were scanned, by table, in it or in an index that says all of it; partitions of one table are one. */
  readonly rows: Map<string, number>;
  /** Only those of the tables themselves: where an index says all that is asked, it alone is read once its table is vacuumed. */
  readonly ofTables: Map<string, number>;
  readonly plan: string;
}

export async function rowsRead(db: Database, { text, values }: Statement): Promise<RowsRead> {
  const parts = text.split(/\$(\d+)/);
  const query = sql.join(
    parts.map((part, i) => (i % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`)),
    sql``,
  );
  const plan = await db
    .read()
    .transaction()
    .execute(async (tx) => {
      // What is small is read whole, which says nothing of what is large.
      await sql`set local enable_seqscan = off`.execute(tx);
      await sql`set local enable_bitmapscan = off`.execute(tx);
      const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`
      explain (analyze, costs off, timing off, format json) ${query}`.execute(tx);
      return rows[0]!['QUERY PLAN'][0].Plan;
    });
  const read = { rows: new Map(), ofTables: new Map(), plan: JSON.stringify(plan, null, 1) };
  add(read, plan);
  return read;
}

function add(read: RowsRead, plan: Plan): void {
  const { 'Relation Name': relation, 'Actual Loops': loops, Plans: parts = [] } = plan;
  if (relation !== undefined) {
    const removed =
      (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
    const table = relation.replace(/_(\d{4}_\d{2}|default|known|stranger)$/, '');
    const rows = (plan['Actual Rows'] + removed) * loops;
    const isOfIndex = plan['Node Type'] === 'Index Only Scan';
    count(read.rows, table, rows);
    if (!isOfIndex) count(read.ofTables, table, rows);
  }
  for (const part of parts) add(read, part);
}

function count(found: Map<string, number>, table: string, rows: number): void {
  found.set(table, (found.get(table) ?? 0) + rows);
}
