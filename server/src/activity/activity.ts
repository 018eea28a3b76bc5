/**
 * Who did what, when, from where: the record. An entry is written in the transaction of what it records, so
 * that neither is there without the other; the sealer then chains it. Decides nothing about who may read
 * the record, and forgets nothing: what somebody deletes from the activity log leaves a tombstone, and the
 * chain keeps it (H-11, C-801 to C-804).
 */
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { Log } from '#lib/log.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { Database, Tx } from '#db/database.ts';
import { Anchors } from './anchors.ts';
import { clean, detailsText, type Entry } from './entry.ts';
import { Sealer } from './sealer.ts';
import { ActivityStore } from './store.ts';
import { verify, type Verdict } from './verify.ts';

export { actions, consoleActor } from './entry.ts';
export type { Action, Actor, Details, Entry, ObjectType } from './entry.ts';
export type { Sealer } from './sealer.ts';
export type { Fault, Verdict } from './verify.ts';

const maxAgentLetters = 300;
const maxIpLetters = 45;

export interface ActivityOptions {
  readonly db: Database;
  readonly clock: Clock;
}

export class Activity {
  readonly #store: ActivityStore;
  readonly #clock: Clock;

  constructor({ db, clock }: ActivityOptions) {
    this.#store = new ActivityStore(db);
    this.#clock = clock;
  }

  /** Part of the caller's transaction. Details that look like a secret are an error. */
  async record(tx: Tx, { actor, action, object, details = {} }: Entry): Promise<void> {
    const nowMs = this.#clock.now();
    await this.#store.add(tx, {
      id: uuidv7(nowMs),
      recorded_at: new Date(nowMs),
      source: actor.source ?? 'request',
      is_mock: false,
      user_id: actor.userId || null,
      session_id: actor.sessionId || null,
      ip: clean(actor.ip).slice(0, maxIpLetters),
      user_agent: clean(actor.userAgent.slice(0, maxAgentLetters)),
      action,
      object_type: object?.type ?? null,
      object_id: object?.id ?? null,
      details: detailsText(details),
    });
  }

  /** What changes nothing else: something was looked at, somebody was refused. */
  recordAlone(entry: Entry): Promise<void> {
    return this.#store.transaction((tx) => this.record(tx, entry));
  }
}

export interface ChainOptions extends ActivityOptions {
  /** The master key: the chain's own is derived from it. */
  readonly master: SecretKey;
  /** Where anchors are kept: in the data folder, outside the database. */
  readonly folder: string;
  readonly log: Log;
}

/** Seals from now on, and a last time when disposed of. */
export function startSealer(options: ChainOptions): Sealer {
  const { clock, log } = options;
  return new Sealer({ ...chainParts(options), clock, log });
}

export function verifyChain(
  options: Pick<ChainOptions, 'db' | 'master' | 'folder'>,
): Promise<Verdict> {
  return verify(chainParts(options));
}

function chainParts({ db, master, folder }: Pick<ChainOptions, 'db' | 'master' | 'folder'>) {
  const key = master.derive('audit');
  return { store: new ActivityStore(db), anchors: new Anchors(folder, key), key };
}
