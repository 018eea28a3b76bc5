/**
 * Everything in a database as it was at one moment, as streams of rows. The caller and `load.ts` decide what is
 * left out, where the rows go and how they are restored. Knows no table of the product.
 */
import type { Client } from 'pg';
import { to as copyTo, type CopyToStreamQuery } from 'pg-copy-streams';
import { newClient, type Target } from './connection.ts';

export interface Table {
  readonly name: string;
  /** The columns that hold data: a generated column is computed again. */
  readonly columns: readonly string[];
}

/** A partition of a table that is partitioned by time. */
export interface Range {
  readonly table: string;
  readonly partition: string;
  /** As PostgreSQL writes them; `until` is exclusive. */
  readonly from: string;
  readonly until: string;
}

export type Rows = CopyToStreamQuery;

/** All its reads see the same moment, whatever is written meanwhile. */
export class Snapshot implements AsyncDisposable {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(target: Target): Promise<Snapshot> {
    const client = newClient(target, { application_name: 'nazar backup' });
    client.on('error', () => undefined); // the query under way reports it
    await client.connect();
    // The first query takes the snapshot.
    await client.query('begin isolation level repeatable read read only');
    return new Snapshot(client);
  }

  /** Names of the migrations that made this schema, in order. */
  async migrations(): Promise<string[]> {
    const rows = await this.#rows<{ name: string }>(
      'select name from kysely_migration order by name',
    );
    return rows.map(({ name }) => name);
  }

  /** Whole tables and partitions (not the partitioned tables themselves), by name. */
  async tables(): Promise<Table[]> {
    return this.#rows<{ name: string; columns: string[] }>(`
      select relation.relname as name,
             array_agg(attribute.attname::text order by attribute.attnum) as columns
        from pg_class relation
        join pg_attribute attribute on attribute.attrelid = relation.oid
       where relation.relnamespace = 'public'::regnamespace
         and relation.relkind in ('r', 'p') and not relation.relispartition
         and relation.relname not like 'kysely\\_%'
         and attribute.attnum > 0 and not attribute.attisdropped and attribute.attgenerated = ''
       group by relation.relname order by relation.relname`);
  }

  /** Partitions by a range of time; the default partitions come with the schema. */
  async ranges(): Promise<Range[]> {
    return this.#rows<{ table: string; partition: string; from: string; until: string }>(`
      select parent.relname as table, child.relname as partition,
             bound.found[1] as from, bound.found[2] as until
        from pg_inherits
        join pg_class parent on parent.oid = inhparent
        join pg_class child on child.oid = inhrelid,
             regexp_match(pg_get_expr(child.relpartbound, child.oid),
                          '^FOR VALUES FROM \\(''(.*)''\\) TO \\(''(.*)''\\)$') as bound (found)
       where parent.relkind = 'p' and bound.found is not null
       order by child.relname`);
  }

  /** The last value of each sequence, by name. */
  async sequences(): Promise<{ name: string; last: string }[]> {
    return this.#rows<{ name: string; last: string }>(`
      select sequencename as name, last_value::text as last from pg_sequences
       where schemaname = 'public' and last_value is not null order by 1`);
  }

  /**
   * Rows as COPY writes them in its binary format, which has been the same since PostgreSQL 7.4 for every type
   * in use here. A column in `without` is null in each. Read to its end, `rowCount` says how many there were.
   */
  copy({ name, columns }: Table, without: readonly string[]): Rows {
    const values = columns.map((column) =>
      without.includes(column) ? 'null' : `row.${identifier(column)}`,
    );
    return this.#client.query(
      copyTo(
        `copy (select ${values.join(', ')} from ${identifier(name)} as row) to stdout (format binary)`,
      ),
    );
  }

  /** A key column, as text, and another column, of the rows where the latter is not null. */
  async *pairs(table: string, key: string, value: string): AsyncGenerator<[string, Buffer]> {
    await this.#client.query(`
      declare pairs no scroll cursor for
        select ${identifier(key)}::text as key, ${identifier(value)} as value
          from ${identifier(table)} where ${identifier(value)} is not null order by 1`);
    for (;;) {
      const rows = await this.#rows<{ key: string; value: Buffer }>('fetch 1000 from pairs');
      if (rows.length === 0) break;
      for (const row of rows) yield [row.key, row.value];
    }
    await this.#client.query('close pairs');
  }

  /** Which of these keys the table has. */
  async present(table: string, key: string, keys: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.#client.query<{ key: string }>(
      `select ${identifier(key)}::text as key from ${identifier(table)} where ${identifier(key)}::text = any($1)`,
      [keys],
    );
    return new Set(rows.map((row) => row.key));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  async #rows<R extends object>(query: string): Promise<R[]> {
    return (await this.#client.query<R>(query)).rows;
  }
}

export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
