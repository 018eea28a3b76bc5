/**
 * The durable queue of erasures. Each is taken through its steps by whichever node holds the lock, one step
 * at a time; every step may be repeated, so that a node that dies leaves work, never damage:
 *
 *   collect   accounts that ended and were not taken over; people who were deleted otherwise
 *   remove    the person with their keys in one short transaction, so that they are gone for every reader; then what is
 *             left of them in rows, or of an account, a batch in a transaction
 *   list      ids to the list outside the database, before anything says "done"
 *   clean     what removed rows leave on the disk; then the certificate, recorded
 */
import { createHash } from 'node:crypto';
import type { Certificate, UnknownCompared } from '@nazar/contract/privacy.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { alone } from '#db/alone.ts';
import type { Database, Tx } from '#db/database.ts';
import { isStillRead, wipe } from '#db/wipe.ts';
import { systemActor, type Activity } from '#activity/activity.ts';
import type { EndedAccounts } from '#accounts/accounts.ts';
import type { AlertErasing } from '#alerts/alerts.ts';
import type { FaceErasing } from '#faces/faces.ts';
import type { VisitErasing } from '#visits/visits.ts';
import { ErasedList } from './erased-list.ts';
import { erasureRow, ErasureStore, nothing, type Counts, type ErasureRow } from './store.ts';

export interface ErasuresOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly ended: EndedAccounts;
  readonly faces: FaceErasing;
  readonly visits: VisitErasing;
  readonly alerts: AlertErasing;
  /** Where the list of who was erased is kept: in the data folder, outside the database. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Pictures, visits and notes that go in one transaction. */
  readonly rowBatch?: number;
}

const dayMs = 24 * 60 * 60_000;
/** Longer than any erasure takes. */
const lookBackMs = 60 * dayMs;
const batch = 500;
/** A person may have been seen a million times, and who writes a visit of an hour waits while visits of it go. */
const usualRowBatch = 1_000;
/** Tables that hold names, and keys to the rest: what is sealed under a destroyed key is noise. */
const tablesToClean = [
  'person',
  'consent',
  'identity',
  'app_user',
  'ended_account',
  'activity_note',
  'activity_saved_search',
  'alert_note',
  'recording_bookmark',
  'wall_layout',
  // Pictures of strangers whom other accounts saw too: their key stays.
  'stranger_reference',
  'negative',
];

/** What the cameras of an account saw: people whom no one else saw, and visits of people whom others saw too. */
interface Passing {
  readonly strangers: readonly string[];
  readonly shared: readonly { readonly id: string; readonly started_at: Date }[];
}
const noOne: Passing = { strangers: [], shared: [] };

/** Rows of one batch, and how they stand in the certificate. */
interface RemovedRows {
  readonly rows: number;
  readonly counted: Partial<Counts>;
}

export class Erasures {
  readonly #options: ErasuresOptions;
  readonly #store: ErasureStore;
  readonly #list: ErasedList;
  readonly #rowBatch: number;

  constructor(options: ErasuresOptions) {
    this.#options = options;
    this.#rowBatch = options.rowBatch ?? usualRowBatch;
    this.#store = new ErasureStore(options.db);
    this.#list = new ErasedList(options.folder);
  }

  /** Until nothing is left to do; nothing when another node does it. `signal` ends it between two steps. */
  async run(signal?: AbortSignal): Promise<void> {
    await alone(this.#options.db, 'privacy.erasures', async (lost) => {
      await this.collect();
      while (!signal?.aborted && !lost.aborted && (await this.step()));
    });
  }

  /** Queues what is due. */
  async collect(): Promise<void> {
    const { ended, faces, clock } = this.#options;
    for (const account of await ended.list()) {
      if (account.erase_after.getTime() > clock.now()) continue;
      await this.#store.transaction(async (tx) => {
        // They were taken over in this moment and belong to another account.
        if (!(await ended.lock(tx, account.user_id))) return;
        const { user_id, ended_at } = account;
        await this.askOfAccount(tx, user_id, ended_at);
      });
    }
    // An erasure is never older than its person's row in the list: a longer search would find no more.
    const since = new Date(clock.now() - lookBackMs);
    const erased = await faces.erasedSince(since);
    const known = await this.#store.known(erased.map(({ person_id }) => person_id));
    for (const { person_id, erased_at } of erased) {
      if (known.has(person_id)) continue;
      await this.#store.transaction((tx) =>
        this.#store.add(tx, this.#row('person', person_id, 'deleted', erased_at)),
      );
    }
  }

  /** Queues an erasure in the caller's transaction. `unknown`: who else was compared, for the certificate. */
  ask(
    tx: Tx,
    personId: string,
    reason: 'asked' | 'retention',
    unknown: UnknownCompared | null = null,
  ): Promise<void> {
    const now = new Date(this.#options.clock.now());
    const row = this.#row('person', personId, reason, now);
    return this.#store.add(tx, { ...row, certificate: { unknown } });
  }

  /** The same for what an account leaves when others take its people over. */
  askOfAccount(tx: Tx, userId: string, endedAt: Date): Promise<void> {
    return this.#store.add(tx, this.#row('account', userId, 'account_ended', endedAt));
  }

  /** One step of one erasure, which may be repeated; false when nothing can be done now. */
  async step(): Promise<boolean> {
    const next = await this.#store.firstToRemove();
    if (next) {
      if (next.subject === 'person') await this.#removePerson(next);
      else await this.#removeAccount(next);
      return true;
    }
    return this.#clean();
  }

  #row(
    subject: ErasureRow['subject'],
    subjectId: string,
    reason: ErasureRow['reason'],
    requestedAt: Date,
  ): ErasureRow {
    return erasureRow(this.#options.clock, { subject, subjectId, reason, requestedAt });
  }

  /** The person is gone for every reader after the first step; then one batch of what is left of them. */
  async #removePerson({ id, subject_id, reason }: ErasureRow): Promise<void> {
    const { activity, faces } = this.#options;
    let erased = await faces.erased(subject_id);
    if (!erased) {
      await this.#store.transaction((tx) => faces.person(tx, subject_id));
      erased = await faces.erased(subject_id);
    }
    for (const remove of this.#rowsOf(subject_id, erased?.identity_ids ?? [], reason)) {
      const isMore = await this.#store.transaction(async (tx) => {
        const removed = await remove(tx);
        await this.#store.count(tx, id, removed.counted);
        return removed.rows === this.#rowBatch;
      });
      if (isMore) return;
    }
    await this.#store.transaction(async (tx) => {
      const notes = await activity.erasing.about(tx, { type: 'face', id: subject_id });
      const { images = 0, embeddings: vectors = 0 } = erased ?? {};
      await this.#store.count(tx, id, { images, vectors, people: 1, notes });
      await this.#store.removed(tx, id, new Date(this.#options.clock.now()));
    });
  }

  /** What is removed a batch at a time, in this order. Visits of a person who was erased alone stay. */
  #rowsOf(
    personId: string,
    identityIds: readonly string[],
    reason: ErasureRow['reason'],
  ): ((tx: Tx) => Promise<RemovedRows>)[] {
    const { visits: erasing, alerts } = this.#options;
    const limit = this.#rowBatch;
    // First: they are found by the visits of their alerts.
    const ofNotes = async (tx: Tx): Promise<RemovedRows> => {
      const notes = await alerts.ofPeople(tx, identityIds, limit);
      return { rows: notes, counted: { notes } };
    };
    const ofPictures = async (tx: Tx): Promise<RemovedRows> => {
      const pictures = await erasing.pictures(tx, identityIds, limit);
      return { rows: pictures, counted: { pictures } };
    };
    const ofVisits = async (tx: Tx): Promise<RemovedRows> => {
      const visits = await erasing.visits(tx, identityIds, limit);
      return { rows: visits, counted: { visits } };
    };
    const ofRecognition = async (tx: Tx): Promise<RemovedRows> => ({
      rows: await erasing.recognized(tx, personId, limit),
      counted: {},
    });
    const ofAccount = reason === 'account_ended' ? [ofVisits] : [];
    return [ofNotes, ofPictures, ...ofAccount, ofRecognition];
  }

  /** One batch: people are queued as erasures of their own, then who passed by the account's cameras. */
  async #removeAccount({ id, subject_id, requested_at }: ErasureRow): Promise<void> {
    const { activity, alerts, faces, clock } = this.#options;
    const people = await faces.addedBy(subject_id, batch);
    const passing = people.length > 0 ? noOne : await this.#strangersOf(subject_id);
    await this.#store.transaction(async (tx) => {
      for (const person of people) {
        await this.#store.add(tx, this.#row('person', person, 'account_ended', requested_at));
      }
      const { pictures, visits, notes: onPassing } = await this.#removePassing(tx, passing);
      const texts = await activity.erasing.ofUser(tx, subject_id, this.#rowBatch);
      const onAlerts = await alerts.ofUser(tx, subject_id, this.#rowBatch);
      const notes = texts + onAlerts + onPassing;
      await this.#store.count(tx, id, { people: people.length, pictures, visits, notes });
      const left = people.length + passing.strangers.length + passing.shared.length;
      if (left === 0 && texts < this.#rowBatch && onAlerts < this.#rowBatch) {
        await this.#store.removed(tx, id, new Date(clock.now()));
      }
    });
  }

  async #removePassing(
    tx: Tx,
    { strangers, shared }: Passing,
  ): Promise<Pick<Certificate, 'pictures' | 'visits' | 'notes'>> {
    const { faces, visits: erasing, alerts } = this.#options;
    // The lock of strangers is taken before any visit is touched.
    await faces.strangers(tx, strangers);
    await faces.referencesOf(
      tx,
      shared.map((visit) => visit.id),
    );
    const notes = await alerts.ofPeople(tx, strangers, this.#rowBatch);
    let pictures = await erasing.pictures(tx, strangers, this.#rowBatch);
    // They are found by their visits, so that these go last.
    const isMore = Math.max(notes, pictures) === this.#rowBatch;
    const visits = isMore ? 0 : await erasing.visits(tx, strangers, this.#rowBatch);
    for (const visit of shared) pictures += await erasing.visit(tx, visit);
    return { notes, pictures, visits: visits + shared.length };
  }

  /** Empty when its people were taken over: another account goes on with its cameras. */
  async #strangersOf(userId: string): Promise<Passing> {
    const { ended, visits: erasing } = this.#options;
    const account = await this.#store.transaction((tx) => ended.lock(tx, userId));
    if (!account) return noOne;
    const strangers = await erasing.strangersAtCamerasOf(userId, batch);
    const shared = strangers.length > 0 ? [] : await erasing.sharedStrangersOf(userId, batch);
    return { strangers, shared };
  }

  /** All that were removed, at once: cleaning costs the same for one and for many. */
  async #clean(): Promise<boolean> {
    const { db, visits: erasing, clock, log } = this.#options;
    const erasures = await this.#store.toClean();
    if (erasures.length === 0) return false;
    await this.#writeList(erasures);
    for (let removed = batch; removed === batch;) {
      removed = await this.#store.transaction((tx) => erasing.unreadable(tx, batch));
    }
    for (const { removed_by } of erasures) {
      if (removed_by === null || !(await isStillRead(db, removed_by))) continue;
      log.info('something still reads what was erased; the disk is cleaned later');
      return false;
    }
    const { tables, statistics, log: logFiles } = await wipe(db, tablesToClean, clock);
    if (!tables) {
      log.warn('tables were in use and could not be cleaned; tried again later');
      return false;
    }
    const proven = { tables_clean: tables, statistics_clean: statistics, log_clean: logFiles };
    for (const erasure of erasures) await this.#certify(erasure, proven);
    return true;
  }

  async #writeList(erasures: readonly ErasureRow[]): Promise<void> {
    const { faces } = this.#options;
    const people = [];
    for (const { subject, subject_id: personId } of erasures) {
      const erased = subject === 'person' ? await faces.erased(personId) : null;
      if (!erased) continue;
      const unknownIds = await faces.unknownErasedWith(personId);
      const identityIds = erased.identity_ids.filter((id) => !unknownIds.includes(id));
      people.push({ personId, identityIds, unknownIds });
    }
    await this.#list.append(people);
  }

  async #certify(
    erasure: ErasureRow,
    proven: Pick<Certificate, 'tables_clean' | 'statistics_clean' | 'log_clean'>,
  ): Promise<void> {
    const { activity, clock, log } = this.#options;
    const cleaned_at = new Date(clock.now());
    const certificate = { ...nothing, unknown: null, ...erasure.certificate, ...proven };
    const details = {
      ...certificate,
      subject: erasure.subject,
      subject_digest: digestOf(erasure.subject_id),
      reason: erasure.reason,
      requested_at: erasure.requested_at.toISOString(),
      removed_at: erasure.removed_at?.toISOString() ?? null,
      cleaned_at: cleaned_at.toISOString(),
    };
    await this.#store.transaction(async (tx) => {
      await this.#store.cleaned(tx, erasure.id, cleaned_at, certificate);
      const object = { type: 'erasure', id: erasure.id } as const;
      const entry = { actor: systemActor, action: 'privacy.erased', object, details } as const;
      await activity.record(tx, entry);
    });
    log.info({ erasure: erasure.id, ...details }, 'erased');
  }
}

/** Proves that an id that was kept is the erased one, and reveals nothing to others. */
export function digestOf(subjectId: string): string {
  return createHash('sha256').update(subjectId).digest('hex');
}
