/** A database on which a pass dies. */
import type { KyselyPlugin } from 'kysely';
import type { Database, Tx } from '#db/database.ts';

/** The same database, whose transactions fail at their n-th statement, or (0) when they are to commit. */
export function failing(db: Database, at: number): Database {
  let left = at;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if ((left -= 1) === 0) throw new Error('killed');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const transaction: Database['transaction'] = (work) =>
    db.transaction(async (tx) => {
      const watched: Tx = { as: <T>() => tx.as<T>().withPlugin(plugin) };
      const result = await work(watched);
      if (at === 0) throw new Error('killed');
      return result;
    });
  return new Proxy(db, {
    get: (target, name) => {
      const value: unknown =
        name === 'transaction' ? transaction : Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
