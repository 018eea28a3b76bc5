/**
 * The activity log: who did what, when, and from where. An entry is written in the transaction of the action that it
 * records, so that neither exists without the other; the sealer then chains it. This module does not decide who may
 * read the log, and deletes nothing from it: an entry that a user deletes leaves a tombstone,
 * and the chain keeps it. Only the text of clients, which is stored beside it, can be erased.
 */
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { Log } from '#lib/log.ts';
import { signingPairOf, type SecretKey } from '#lib/secrets.ts';
import type { Database, Tx } from '#db/database.ts';
import { AboutStore, type EntryAbout, type RecordedEntry, type Wanted } from './about-store.ts';
import { Anchors } from './anchors.ts';
import type { EntryWriter } from './entry-writer.ts';
import { clean, detailsText, type Action, type Actor, type Entry } from './entry.ts';
import type { ReportedEntry } from './log/notes.ts';
import { Recent } from './recent.ts';
import { NoteErasing } from './log/note-erasing-store.ts';
import { DailyCheck } from './daily-check.ts';
import { prune, type Pruned } from './prune.ts';
import { Sealer } from './sealer.ts';
import { ActivityStore } from './store.ts';
import { compared, type Comparison } from './verification/comparison.ts';
import { Verification } from './verification/verification.ts';
import { verify, type Verdict } from './verify.ts';
import type { Warnings } from './warnings.ts';

export { actions, consoleActor, systemActor } from './entry.ts';
export type { Action, Actor, Details, Entry, ObjectType } from './entry.ts';
export type { EntryAbout, Wanted } from './about-store.ts';
export type { Sealer } from './sealer.ts';
export type { Fault, Verdict } from './verify.ts';
export { ActivityLog } from './log/activity-log.ts';
export { shortestPolicyDays } from './prune.ts';
export type { Verification } from './verification/verification.ts';
export type { Comparison } from './verification/comparison.ts';
export type { Report } from './verification/report.ts';
export type { DailyCheck } from './daily-check.ts';
export { criticalWarnings, Warnings, type Raised } from './warnings.ts';

/** Screens request what they show every 30 s. */
const readMs = 10 * 60_000;
const maxAgentChars = 300;
const maxIpChars = 45;

export interface ActivityOptions {
  readonly db: Database;
  readonly clock: Clock;
}

/** The entry, and the account whose action it records; null: no account's. */
export interface Recorded {
  readonly entryId: string;
  readonly userId: string | null;
}

/** `at`: when it was recorded; `entryId`: its id in the activity log. */
export type Follower = (tx: Tx, entry: Entry, at: Date, entryId: string) => Promise<void>;

export class Activity implements EntryWriter {
  /** Erases what clients noted, for privacy. */
  readonly erasing = new NoteErasing();
  readonly #store: ActivityStore;
  readonly #about: AboutStore;
  readonly #followers: Follower[] = [];
  readonly #clock: Clock;
  readonly #recent: Recent;

  constructor({ db, clock }: ActivityOptions) {
    this.#store = new ActivityStore(db);
    this.#about = new AboutStore(db);
    this.#clock = clock;
    this.#recent = new Recent(clock);
  }

  /**
   * `follower` receives every entry within its transaction: what it writes is committed with the action or not at all,
   * and an error that it throws rolls the action back.
   */
  follow(follower: Follower): void {
    this.#followers.push(follower);
  }

  /** Entries about one account, the newest first; `wanted`: actions, some only with a certain detail. */
  about(userId: string, wanted: readonly Wanted[], limit: number): Promise<EntryAbout[]> {
    return this.#about.latest(userId, wanted, limit);
  }

  /** Those of these entries that are there. */
  async entries(tx: Tx, ids: readonly string[]): Promise<RecordedEntry[]> {
    return ids.length === 0 ? [] : this.#about.entries(tx, ids);
  }

  /** Part of the caller's transaction. Details that look like a secret are an error. */
  async record(tx: Tx, entry: Entry): Promise<void> {
    await this.recordDecision(tx, entry);
  }

  /** The same; returns what a row about the decision needs to refer to the entry. */
  async recordDecision(tx: Tx, entry: Entry): Promise<Recorded> {
    const { actor, action, object, details = {} } = entry;
    const origin = this.#origin(actor);
    await this.#store.add(tx, [
      {
        ...origin,
        is_mock: false,
        action,
        object_type: object?.type ?? null,
        object_id: object?.id ?? null,
        details: detailsText(actor.seenBy ? { ...details, seen_as: actor.userId } : details),
      },
    ]);
    for (const follow of this.#followers) {
      await follow(tx, entry, origin.recorded_at, origin.id);
    }
    return { entryId: origin.id, userId: origin.user_id };
  }

  /** Records what a client reports about itself, marked as such; returns the entries' ids, in that order. */
  async recordReported(
    tx: Tx,
    actor: Actor,
    reported: readonly ReportedEntry[],
  ): Promise<string[]> {
    const entries = reported.map(({ kind, object, details, isMock }) => ({
      ...this.#origin({ ...actor, source: 'client' }),
      is_mock: isMock,
      action: `client.${kind}` satisfies Action,
      object_type: object?.type ?? null,
      object_id: object?.id ?? null,
      details: detailsText(details),
    }));
    await this.#store.add(tx, entries);
    return entries.map(({ id }) => id);
  }

  #origin(actor: Actor) {
    const nowMs = this.#clock.now();
    return {
      id: uuidv7(nowMs),
      recorded_at: new Date(nowMs),
      source: actor.source ?? 'request',
      user_id: (actor.seenBy ?? actor.userId) || null,
      session_id: actor.sessionId || null,
      ip: clean(actor.ip).slice(0, maxIpChars),
      user_agent: clean(actor.userAgent.slice(0, maxAgentChars)),
    };
  }

  /** Records an action that changes nothing else: a read, a refusal. */
  recordAlone(entry: Entry): Promise<void> {
    return this.#store.transaction((tx) => this.record(tx, entry));
  }

  /**
   * Records a read: one entry in ten minutes for the same session and address. It is awaited before the
   * answer, so that nothing is shown that is not recorded. `about`: distinguishes two reads that have
   * no object; it is not stored.
   */
  recordRead(entry: Entry, { about = '', withinMs = readMs } = {}): Promise<void> {
    const { actor, action, object } = entry;
    const { userId, sessionId, ip } = actor;
    const key = JSON.stringify([userId, sessionId, ip, action, object?.id, about]);
    return this.recordOnce(key, withinMs, entry);
  }

  /** Records an action that repeats once in that time. */
  recordOnce(key: string, withinMs: number, entry: Entry): Promise<void> {
    return this.#recent.once(key, withinMs, () => this.recordAlone(entry));
  }
}

export interface ChainOptions extends ActivityOptions {
  /** The master key: the chain's own is derived from it. */
  readonly master: SecretKey;
  /** Where anchors are kept: in the data folder, outside the database. */
  readonly folder: string;
  readonly log: Log;
  /** Called when the sealer detects that the chain was changed. */
  readonly onBroken?: (sequence: number) => void;
}

/** Starts sealing; the sealer runs a last time when it is disposed of. */
export function startSealer(options: ChainOptions): Sealer {
  const { clock, log, onBroken } = options;
  const listeners = onBroken ? { onBroken } : {};
  return new Sealer({ ...chainParts(options), clock, log, ...listeners });
}

export function verifyChain(
  options: Pick<ChainOptions, 'db' | 'master' | 'folder'>,
): Promise<Verdict> {
  return verify(chainParts(options));
}

/** Removes entries that are older than `days`, and reports why it stopped if it did. */
export function pruneChain(
  options: Pick<ChainOptions, 'db' | 'master' | 'folder' | 'clock'> & { readonly days: number },
): Promise<Pruned> {
  return prune(chainParts(options), options);
}

/** Runs each hour and checks once a day. */
export function dailyCheck(
  options: ChainOptions & { readonly warnings: Warnings; readonly days: number },
): DailyCheck {
  return new DailyCheck({ ...options, ...chainParts(options) });
}

/** The verification that administrators start from the page. */
export function openVerification(
  options: Omit<ChainOptions, 'onBroken'> & {
    readonly activity: EntryWriter;
    readonly warnings: Warnings;
  },
): Promise<Verification> {
  return Verification.open({ ...options, ...chainParts(options) });
}

/** Whether a saved file of a verification is ours, and whether the log still has the entry that it names. */
export function compareReport(
  options: Pick<ChainOptions, 'db' | 'master' | 'folder'>,
  file: string,
): Promise<Comparison> {
  const { publicKey } = signingPairOf(options.master);
  return compared(chainParts(options), publicKey, file);
}

function chainParts({ db, master, folder }: Pick<ChainOptions, 'db' | 'master' | 'folder'>) {
  const key = master.derive('audit');
  return { store: new ActivityStore(db), anchors: new Anchors(folder, key), key };
}
