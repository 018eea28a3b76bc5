/** A database whose transactions are watched, and lost at a moment that a test chooses: as a process that is killed. */
import type { Database, Tx } from '#db/database.ts';

export class Killed extends Error {}

export interface TransactionWatch {
  /** Within each transaction, before its commit: what it locked is still locked. */
  readonly beforeCommit?: (number: number) => Promise<void>;
  readonly afterCommit?: (number: number) => void;
}

/** The same database for another user of it: `number` counts the transactions of that user from 0. */
export function watched(db: Database, { beforeCommit, afterCommit }: TransactionWatch): Database {
  let transactions = 0;
  const transaction = async <R>(work: (tx: Tx) => Promise<R>): Promise<R> => {
    const number = transactions;
    transactions += 1;
    const done = await db.transaction(async (tx) => {
      const worked = await work(tx);
      await beforeCommit?.(number);
      return worked;
    });
    afterCommit?.(number);
    return done;
  };
  return new Proxy(db, {
    get: (target, name) => {
      if (name === 'transaction') return transaction;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Killed at the moment of this number: even ones undo a transaction, odd ones leave it committed. */
export function killedAt(db: Database, moment: number): Database {
  const last = Math.floor(moment / 2);
  const kill = (number: number): void => {
    if (number >= last) throw new Killed(`killed at moment ${moment}`);
  };
  const undo = (number: number): Promise<void> =>
    Promise.resolve().then(() => kill(moment % 2 === 0 ? number : -1));
  return watched(db, { beforeCommit: undo, afterCommit: kill });
}
