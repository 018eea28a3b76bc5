/**
 * All people to recognise, in the memory of this node, kept in step with the database: a change sends the identity to
 * every node, and each node reads that identity again. Parts are read one after another, so that an earlier reading
 * never replaces a later one.
 */
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Topic } from '#lib/topic.ts';
import type { Database } from '#db/database.ts';
import { vectorPlace } from '../photos/enrolment.ts';
import type { Enrollers } from '../enrolment-rights.ts';
import { changedChannel } from '../erasing/erasing-store.ts';
import type { Reference } from './gallery.ts';
import { GroupedGallery } from './grouped-gallery.ts';
import type { Identities } from '../identities.ts';
import type { IdentityStore, SealedReference } from '../identity-store.ts';
import type { Negatives } from '../negatives.ts';
import { asKnownPerson, type KnownPerson, type NearPerson } from '../newcomer.ts';
import { openVectors } from './pack-vectors.ts';

/** Identities read at a time: opening their vectors takes some 20 ms, during which nothing else runs. */
const pageSize = 500;
/** A failed reading is repeated after this time. */
const retryMs = 1_000;

export interface KnownOptions {
  readonly db: Pick<Database, 'listen'>;
  readonly store: Pick<IdentityStore, 'namedAfter' | 'references'>;
  readonly identities: Pick<Identities, 'openKey' | 'forget'>;
  readonly negatives: Pick<Negatives, 'of'>;
  readonly enrollers: Pick<Enrollers, 'learn'>;
  /** Ids of people who must not be recognised now. */
  readonly withheld: () => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
  readonly log: Log;
}

export class Known implements Disposable {
  /** Published when the gallery has changed: for this identity, or (null) for any. */
  readonly changed: Topic<{ readonly identityId: string | null }>;
  readonly #options: KnownOptions;
  /** By person: a person with several identities counts once. */
  readonly #gallery = new GroupedGallery();
  readonly #people = new Map<string, KnownPerson>();
  /** People by the account that added them; null: to be counted again. */
  #peopleBy: ReadonlyMap<string | null, number> | null = null;
  readonly #listening: Disposable;
  readonly #stop = new AbortController();
  /** The end of the queue of parts to read. */
  #lastPart: Promise<unknown> = Promise.resolve();
  /** Identities for the next part; a reading that has begun may have read them before they changed. */
  #wanted = new Set<string>();
  #wantedRead: Promise<void> | null = null;
  #everybodyRead: Promise<void> = Promise.resolve();
  #everybodyNext: Promise<void> | null = null;
  /** All people were read at least once. */
  #isRead = false;
  /** Identities that a reading of all has found so far, or that changed meanwhile. */
  #found = new Set<string>();

  constructor(options: KnownOptions) {
    const { db, log } = options;
    this.#options = options;
    this.changed = new Topic((error) =>
      log.error({ err: error }, 'reader of faces.changed failed'),
    );
    this.#listening = db.listen(changedChannel, (identityId) => {
      // After a lost connection anything may have changed.
      void (identityId === null ? this.reloadAll() : this.reload([identityId]));
    });
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
    this.#listening[Symbol.dispose]();
  }

  /** How many people can be recognised. */
  get size(): number {
    return this.#gallery.size;
  }

  /** How many of them `among` allows; absent: all. */
  count(among?: (person: KnownPerson) => boolean): number {
    if (!among) return this.size;
    const allowed = this.#people.values().filter(among);
    return new Set(allowed.map(({ personId }) => personId)).size;
  }

  /** `among`: only people it allows. */
  nearest(
    vector: Float32Array,
    pack: string,
    k: number,
    among?: (person: KnownPerson) => boolean,
  ): NearPerson[] {
    const isAmong = (identityId: string): boolean => {
      const person = this.#people.get(identityId);
      return person !== undefined && (among?.(person) ?? true);
    };
    return this.#gallery
      .nearest(vector, pack, k, among && isAmong)
      .map(({ groupId, ...near }) => ({ personId: groupId, ...near }));
  }

  /** How many people each account added. */
  peopleBy(): ReadonlyMap<string | null, number> {
    if (this.#peopleBy === null) {
      const addedBy = new Map([...this.#people.values()].map((one) => [one.personId, one.addedBy]));
      const people = Map.groupBy(addedBy.values(), (userId) => userId);
      this.#peopleBy = new Map([...people].map(([userId, all]) => [userId, all.length]));
    }
    return this.#peopleBy;
  }

  /** The vectors of a person; valid until they change. */
  referencesOf(personId: string, pack: string): Reference[] {
    return this.#gallery.referencesOf(personId, pack);
  }

  /** Null: no active person has this identity. */
  personOf(identityId: string): KnownPerson | null {
    return this.#people.get(identityId) ?? null;
  }

  /** Resolves when the gallery holds for these what the database held at the call, or later. */
  async reload(identityIds: readonly string[]): Promise<void> {
    if (identityIds.length === 0) return;
    for (const id of identityIds) this.#wanted.add(id);
    this.#wantedRead ??= this.#inTurn(() => this.#readWanted());
    return this.#wantedRead;
  }

  /** Reads all for the first time. Rejects when it fails: without them every person seen would be unknown. */
  async load(): Promise<void> {
    await this.reloadAll();
    if (!this.#isRead) throw new Error('the people to recognise could not be read');
  }

  /** Reloads all. A change meanwhile does not wait for the end of it. */
  reloadAll(): Promise<void> {
    this.#everybodyNext ??= this.#everybodyRead.then(() => {
      this.#everybodyNext = null;
      return (this.#everybodyRead = this.#readEverybody());
    });
    return this.#everybodyNext;
  }

  #inTurn<R>(part: () => Promise<R>): Promise<R> {
    const read = this.#lastPart.then(part);
    this.#lastPart = read.catch(() => undefined);
    return read;
  }

  async #readWanted(): Promise<void> {
    const ids = [...this.#wanted];
    this.#wanted.clear();
    this.#wantedRead = null;
    try {
      const withheld = await this.#options.withheld();
      for (let first = 0; first < ids.length; first += pageSize) {
        await this.#read(ids.slice(first, first + pageSize), withheld);
      }
    } catch (error) {
      this.#tryAgain(error, () => this.reload(ids));
      return;
    }
    for (const identityId of ids) this.changed.publish({ identityId });
  }

  async #readEverybody(): Promise<void> {
    this.#found = new Set();
    this.#options.identities.forget(null);
    try {
      const withheld = await this.#options.withheld();
      for (const [identityId, { personId }] of this.#people) {
        if (withheld.has(personId)) this.#forget(identityId);
      }
      let after: string | null = null;
      do {
        after = await this.#inTurn(() => this.#readPage(after, withheld));
      } while (after !== null);
      for (const identityId of this.#people.keys()) {
        if (!this.#found.has(identityId)) this.#forget(identityId);
      }
    } catch (error) {
      this.#tryAgain(error, () => this.reloadAll());
      return;
    }
    this.#isRead = true;
    this.changed.publish({ identityId: null });
  }

  /** Returns the id after which the next page begins; null after the last. */
  async #readPage(after: string | null, withheld: ReadonlySet<string>): Promise<string | null> {
    const ids = await this.#options.store.namedAfter(after, pageSize);
    await this.#read(ids, withheld);
    return ids.length < pageSize ? null : ids.at(-1)!;
  }

  /** Forgets identities without references. */
  async #read(ids: readonly string[], withheld: ReadonlySet<string>): Promise<void> {
    const { store, identities, negatives, enrollers } = this.#options;
    for (const id of ids) identities.forget(id);
    const all = await store.references(ids);
    const ruledOut = await negatives.of(ids);
    const allowed = all.filter(({ person_id }) => !withheld.has(person_id));
    await enrollers.learn(allowed.map(({ created_by }) => created_by));
    const known = Map.groupBy(allowed, ({ identity_id }) => identity_id);
    for (const id of ids) {
      const rows = known.get(id);
      // Negatives come before the references, so that meanwhile no face is named as a person it is not.
      this.#gallery.setNegatives(id, rows ? (ruledOut.get(id) ?? []) : []);
      if (rows) this.#know(id, rows);
      else this.#forget(id);
    }
  }

  /** An identity that cannot be read is not recognised; the others are. */
  #know(identityId: string, rows: readonly SealedReference[]): void {
    try {
      const person = asKnownPerson(rows[0]!);
      this.#gallery.replace(identityId, person.personId, this.#open(identityId, rows));
      this.#people.set(identityId, person);
      this.#peopleBy = null;
    } catch (error) {
      this.#options.log.error({ err: error, identity: identityId }, 'a vector could not be read');
      this.#forget(identityId);
      return;
    }
    this.#found.add(identityId);
  }

  #open(identityId: string, rows: readonly SealedReference[]): Reference[] {
    return rows.flatMap((row) => {
      const key = this.#options.identities.openKey(identityId, row.data_key);
      const addedAtMs = row.added_at.getTime();
      const vectors = openVectors(row, key, vectorPlace(row.embedding_id));
      return vectors.map((vector) => ({ ...vector, addedAtMs }));
    });
  }

  #forget(identityId: string): void {
    this.#options.identities.forget(identityId);
    this.#gallery.forget(identityId);
    this.#gallery.setNegatives(identityId, []);
    this.#people.delete(identityId);
    this.#peopleBy = null;
  }

  /** The gallery is outdated until then: a person erased elsewhere would still be named. */
  #tryAgain(cause: unknown, again: () => Promise<void>): void {
    const { clock, log } = this.#options;
    if (this.#stop.signal.aborted) return;
    log.error({ err: cause }, 'gallery could not be brought up to date');
    void clock.wait(retryMs, this.#stop.signal).then(again, () => undefined);
  }
}
