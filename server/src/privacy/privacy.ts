/**
 * The rights of people whose faces are kept, and the limits of retention: erasure to the last byte, with a
 * certificate that names no one. This module decides when and in which order; each module knows what it keeps
 * of a person and how to remove it.
 */
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type {
  ConfirmedProof,
  Consent,
  ConsentFields,
  EndedAccount,
  Erasure,
  RetentionReport,
  UnknownCompared,
  UnknownMatches,
} from '@nazar/contract/privacy.ts';
import { Problem } from '#lib/problem.ts';
import type { Clock } from '#lib/clock.ts';
import type { Database } from '#db/database.ts';
import type { Accounts, Site } from '#accounts/accounts.ts';
import type { Alerts } from '#alerts/alerts.ts';
import { FaceErasing, type Faces } from '#faces/faces.ts';
import type { Scope } from '#http/scope.ts';
import { tar } from '#http/tar.ts';
import type { Settings } from '#settings/settings.ts';
import type { FoundUnknown, Visits } from '#visits/visits.ts';
import type { Consents } from './consents.ts';
import { ErasedList } from './erased-list.ts';
import { digestOf, Erasures, type ErasuresOptions } from './erasures.ts';
import { Retention } from './retention.ts';
import { subjectFiles } from './subject-export.ts';
import { erasureRow, ErasureStore, nothing, type ErasureRow } from './store.ts';

export interface PrivacyOptions extends Omit<
  ErasuresOptions,
  'alerts' | 'ended' | 'faces' | 'visits'
> {
  readonly accounts: Pick<Accounts, 'proofs' | 'ended' | 'directory'>;
  readonly faces: Pick<
    Faces,
    'erasing' | 'mustOwn' | 'read' | 'photos' | 'announce' | 'refresh' | 'reloadPerson'
  >;
  readonly visits: Pick<
    Visits,
    'erasing' | 'visitsOf' | 'visitsOfUnknown' | 'picture' | 'unknownMatches'
  >;
  readonly alerts: Pick<Alerts, 'erasing' | 'ofVisits'>;
  readonly settings: Settings;
  readonly consents: Consents;
}

export { Consents } from './consents.ts';

export class Privacy implements AsyncDisposable {
  readonly erasures: Erasures;
  readonly #retention: Retention;
  readonly #reading: Disposable;
  readonly #options: PrivacyOptions;
  readonly #store: ErasureStore;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: PrivacyOptions) {
    const { accounts, settings, log } = options;
    const shared = {
      ...options,
      ended: accounts.ended,
      faces: options.faces.erasing,
      visits: options.visits.erasing,
      alerts: options.alerts.erasing,
    };
    this.#options = options;
    this.#store = new ErasureStore(options.db);
    this.erasures = new Erasures(shared);
    this.#retention = new Retention({ ...shared, erasures: this.erasures });
    this.#reading = settings.changed.on(({ section }) => {
      if (section !== 'privacy') return;
      this.applyConsent().catch((err: unknown) =>
        log.error({ err }, 'who may be recognised could not be asked; tried again within the hour'),
      );
    });
  }

  /** Ends what is under way after its step; the next start goes on. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#reading[Symbol.dispose]();
    this.#stop.abort();
    await this.#running;
  }

  /** Hourly, and after each request. One at a time in this process, one node at a time. */
  runErasures(): Promise<void> {
    const { log } = this.#options;
    this.#running = this.#running.then(() =>
      this.erasures
        .run(this.#stop.signal)
        .catch((err: unknown) => log.error({ err }, 'erasing was interrupted; it goes on later')),
    );
    return this.#running;
  }

  /** Hourly. */
  async removeOld(): Promise<void> {
    await this.#retention.runWhenDue(this.#stop.signal);
  }

  /** Throws unavailable while another node is at it. */
  async removeOldNow(scope: Scope): Promise<RetentionReport> {
    const report = await this.#retention.runNow(scope, this.#stop.signal);
    if (!report) throw new Problem('unavailable');
    void this.runErasures();
    return report;
  }

  /** Hourly and when the policy changes: people whose basis ended are no longer recognised. */
  async applyConsent(): Promise<void> {
    const { consents, faces } = this.#options;
    if (await consents.hasChanged()) await faces.refresh();
  }

  /** Throws face_not_found. */
  async consent(scope: Scope, personId: string): Promise<Consent> {
    await this.#options.faces.read(scope, personId);
    return this.#options.consents.of(personId);
  }

  /** Throws face_not_found and face_update_forbidden. */
  async recordConsent(scope: Scope, personId: string, fields: ConsentFields): Promise<Consent> {
    const { consents, faces } = this.#options;
    await faces.mustOwn(scope, personId, 'face_update_forbidden');
    await this.#store.transaction(async (tx) => {
      await consents.save(tx, scope, personId, fields);
      await faces.announce(tx, personId);
    });
    await faces.reloadPerson(personId);
    return consents.of(personId);
  }

  /**
   * Unknown people who may be this person, as far as the caller may see them; recorded, because it finds people by
   * their face. Throws face_not_found.
   */
  async unknownMatches(scope: Scope, personId: string): Promise<UnknownMatches> {
    const { activity, faces } = this.#options;
    await faces.read(scope, personId);
    const { identitiesOf: _, ...found } = await this.#find(scope, personId);
    const object = { type: 'face', id: personId } as const;
    const details = { found: found.results.length };
    const action = 'privacy.unknown_compared';
    await activity.recordAlone({ actor: scope, action, object, details });
    return found;
  }

  /**
   * A tar archive. Throws face_not_found, unknown_matches_changed and what refuses a proof; recorded before the first
   * byte leaves.
   */
  async export(
    scope: Scope,
    personId: string,
    { unknown = [], unknown_version, ...proof }: ConfirmedProof,
    site: Site | null,
  ): Promise<Readable> {
    const { accounts, activity, consents, faces, clock } = this.#options;
    const face = await faces.read(scope, personId);
    await accounts.proofs.prove(scope, proof, site);
    const found = await this.#confirmed(scope, personId, unknown, unknown_version);
    const object = { type: 'face', id: personId } as const;
    await activity.recordAlone({ actor: scope, action: 'privacy.exported', object });
    const consent = await consents.of(personId);
    const subject = { face, consent, unknown: asCompared(found, unknown), confirmed: unknown };
    return Readable.from(tar(subjectFiles(this.#options, scope, subject), clock.now()));
  }

  /**
   * Unreadable and unknown when it resolves; gone from the disk soon after. Throws what refuses a proof,
   * face_not_found, face_delete_forbidden, unknown_matches_changed and unknown_face_seen_elsewhere.
   */
  async erase(
    scope: Scope,
    personId: string,
    { unknown = [], unknown_version, ...proof }: ConfirmedProof,
    site: Site | null,
  ): Promise<Erasure> {
    const { accounts, activity, faces } = this.#options;
    await faces.mustOwn(scope, personId, 'face_delete_forbidden');
    await accounts.proofs.prove(scope, proof, site);
    const found = await this.#confirmed(scope, personId, unknown, unknown_version);
    const mayErase = found.results.filter(({ may_erase }) => may_erase).map(({ id }) => id);
    if (!unknown.every((id) => mayErase.includes(id))) {
      throw new Problem('unknown_face_seen_elsewhere');
    }
    const compared = asCompared(found, unknown);
    await this.#store.transaction(async (tx) => {
      const now = await faces.erasing.unknownNow(tx, unknown);
      const shown = unknown.flatMap((id) => found.identitiesOf.get(id) ?? []);
      if (!isDeepStrictEqual(now, shown.toSorted())) throw new Problem('unknown_matches_changed');
      await this.erasures.ask(tx, personId, 'asked', compared);
      await faces.erasing.person(tx, personId, now);
      const object = { type: 'face', id: personId } as const;
      const details = { unknown: compared };
      await activity.record(tx, { actor: scope, action: 'privacy.erasure_asked', object, details });
    });
    const erasure = await this.#store.of('person', personId);
    void this.runErasures();
    return asErasure(erasure!);
  }

  /** What the caller confirmed must be of the list that they were shown, as it is now. */
  async #confirmed(
    scope: Scope,
    personId: string,
    ids: readonly string[],
    version: string | undefined,
  ): Promise<FoundUnknown> {
    const found = await this.#find(scope, personId);
    const isShown = version === undefined ? ids.length === 0 : version === found.version;
    const isListed = ids.every((id) => found.identitiesOf.has(id));
    if (!isShown || !isListed || new Set(ids).size < ids.length) {
      throw new Problem('unknown_matches_changed');
    }
    return found;
  }

  #find(scope: Scope, personId: string): Promise<FoundUnknown> {
    return this.#options.visits.unknownMatches.find(scope, personId);
  }

  async list(
    scope: Scope,
    { page, page_size }: { page: number; page_size: number },
  ): Promise<{ count: number; results: Erasure[] }> {
    if (!scope.seesAll) throw new Problem('forbidden');
    const { count, rows } = await this.#store.page({ page, pageSize: page_size });
    return { count, results: rows.map(asErasure) };
  }

  async endedAccounts(scope: Scope): Promise<EndedAccount[]> {
    if (!scope.seesAll) throw new Problem('forbidden');
    const { accounts, faces } = this.#options;
    const ended: EndedAccount[] = [];
    for (const { user_id, ended_at, erase_after } of await accounts.ended.list()) {
      const people = await faces.erasing.countAddedBy(user_id);
      if (people === 0) continue;
      const times = { ended_at: ended_at.toISOString(), erase_after: erase_after.toISOString() };
      ended.push({ user_id, ...times, people });
    }
    return ended;
  }

  /** Gives the people of an account, living or ended, another owner. Throws user_not_found. */
  async handOver(scope: Scope, from: string, to: string): Promise<number> {
    const { accounts, activity, faces } = this.#options;
    await accounts.directory.name(scope, to);
    return this.#store.transaction(async (tx) => {
      const ended = await accounts.ended.lock(tx, from);
      if (ended) {
        await accounts.ended.handOver(tx, from, to);
        // The notes of the account cannot be taken over.
        await this.erasures.askOfAccount(tx, from, ended.ended_at);
      } else await accounts.directory.name(scope, from);
      const people = await faces.erasing.handOver(tx, from, to);
      const object = { type: 'user', id: from } as const;
      const details = { to, people };
      const action = 'privacy.people_handed_over';
      await activity.record(tx, { actor: scope, action, object, details });
      return people;
    });
  }
}

/** People whose keys no backup may keep, although the database may have been set back and not know it. */
export async function erasedIdentities(folder: string): Promise<Set<string>> {
  const erased = await new ErasedList(folder).read();
  return new Set(erased.flatMap(({ identityIds, unknownIds }) => [...identityIds, ...unknownIds]));
}

/** Merges the list of one folder into that of another: a backup carries it to another machine. */
export async function mergeErased(from: string, into: string): Promise<void> {
  await new ErasedList(into).append(await new ErasedList(from).read());
}

export interface ReplayOptions {
  readonly db: Database;
  /** The folder of the list of who was erased: that of this installation, not of the backup. */
  readonly folder: string;
  readonly clock: Clock;
}

/**
 * Erases again, after a restore and before its first use, who was erased since the backup. Answers how
 * many people. The next run of the erasures cleans the disk.
 */
export async function replayErasures({ db, folder, clock }: ReplayOptions): Promise<number> {
  const faces = new FaceErasing(db, clock);
  const store = new ErasureStore(db);
  let erased = 0;
  for (const { personId, identityIds, unknownIds } of await new ErasedList(folder).read()) {
    const known = new Set<string>([personId]);
    // The person may have had another id then: the same face, named again.
    for (const id of identityIds) {
      const person = await faces.personOf(id);
      if (person) known.add(person);
    }
    for (const id of known) {
      const requestedAt = new Date(clock.now());
      erased += await db.transaction(async (tx) => {
        const { identityIds: gone } = await faces.person(tx, id);
        if (gone.length === 0) return 0;
        const about = {
          subject: 'person',
          subjectId: id,
          reason: 'replayed',
          requestedAt,
        } as const;
        await store.add(tx, erasureRow(clock, about));
        return 1;
      });
    }
    await db.transaction((tx) => faces.strangers(tx, [...identityIds, ...unknownIds]));
  }
  return erased;
}

const asCompared = (
  { compared, not_comparable, all_cameras, is_comparable, results }: UnknownMatches,
  taken: readonly string[],
): UnknownCompared | null =>
  is_comparable
    ? { compared, not_comparable, all_cameras, found: results.length, taken: taken.length }
    : null;

function asErasure(row: ErasureRow): Erasure {
  const { subject, subject_id, reason, requested_at, due_at, removed_at, cleaned_at } = row;
  const proven = { tables_clean: false, statistics_clean: false, log_clean: false };
  const certified = { ...nothing, ...proven, unknown: null, ...row.certificate };
  const { unknown } = certified;
  // Older certificates counted the people who could not be compared among those who were.
  const { not_comparable = null } = (unknown ?? {}) as Partial<UnknownCompared>;
  const certificate = { ...certified, unknown: unknown && { ...unknown, not_comparable } };
  return {
    id: row.id,
    subject,
    reason,
    state: cleaned_at ? 'done' : removed_at ? 'cleaning' : 'removing',
    requested_at: requested_at.toISOString(),
    due_at: due_at.toISOString(),
    removed_at: removed_at?.toISOString() ?? null,
    cleaned_at: cleaned_at?.toISOString() ?? null,
    removed: { pictures: certified.pictures, visits: certified.visits },
    certificate: cleaned_at ? { subject_digest: digestOf(subject_id), ...certificate } : null,
  };
}
