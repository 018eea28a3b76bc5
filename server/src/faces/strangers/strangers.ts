/**
 * Strangers: unnamed identities whom cameras see again. A picture of an unknown person joins the stranger it shows,
 * or begins a new one (joining.ts). That is decided under one lock of the database, after this node has read all that
 * was decided before: two nodes never make two strangers of one person because both saw them at the same time.
 * Nothing is loaded before a stranger is first seen.
 */
import type { UnknownStatus } from '@nazar/contract/unknown-faces.ts';
import type { Tx } from '#db/database.ts';
import { noOtherPack } from '#db/pack-columns.ts';
import type { Log } from '#lib/log.ts';
import { SealBroken, type SecretKey } from '#lib/secrets.ts';
import { vectorBytes } from '#lib/vectors.ts';
import type { Calibration } from '#vision/packs/pack.ts';
import type { Reference } from '../gallery/gallery.ts';
import { GroupedGallery } from '../gallery/grouped-gallery.ts';
import type { Identities, Identity } from '../identities.ts';
import { joining, minJoinQuality, type Joining } from './joining.ts';
import { likeness, type Likeness } from './likeness.ts';
import { openVectors } from '../gallery/pack-vectors.ts';
import { withReference, type StrangerReference } from './stranger-references.ts';
import {
  StrangerStore,
  type ChangedIdentity,
  type StrangerReferenceRow,
} from './stranger-store.ts';

/** The picture of a visit. */
export interface ReferencePicture {
  readonly visitId: string;
  readonly startedAtMs: number;
  readonly vector: Float32Array;
  readonly packId: string;
  readonly packVersion: string;
  readonly quality: number;
}

/** The picture of a visit of an unknown person. */
export interface SeenStranger extends ReferencePicture {
  /** Strangers in view of the same camera at the same time. */
  readonly beside: readonly string[];
  /** It may show an enrolled person, but too few pictures showed them. */
  readonly resembles?: boolean;
}

export interface StrangersOptions {
  readonly identities: Identities;
  /** The calibration of a pack (`id@version`); null: the pack is gone. */
  readonly calibrationOf: (pack: string) => Calibration | null;
  readonly log: Log;
}

export class Strangers {
  readonly #store = new StrangerStore();
  readonly #identities: Identities;
  readonly #calibrationOf: StrangersOptions['calibrationOf'];
  readonly #log: Log;
  #gallery = new GroupedGallery();
  #revision = 0;
  #isStale = false;

  constructor({ identities, calibrationOf, log }: StrangersOptions) {
    this.#identities = identities;
    this.#calibrationOf = calibrationOf;
    this.#log = log;
  }

  /**
   * Every transaction that changes who a stranger is takes this lock before it touches a row of a visit or writes
   * anything about an identity: what this node reads here is committed, and stays so if `tx` fails.
   */
  async lock(tx: Tx): Promise<void> {
    await this.#store.lock(tx);
    await this.#catchUp(tx);
  }

  /** Reads all strangers again before the next comparison: the vectors in use have changed. */
  refresh(): void {
    this.#isStale = true;
  }

  /**
   * Returns the stranger that the picture joins, of merged ones the one that stands for all; null: none. Nothing is
   * written. Called under the lock.
   */
  whoIs(seen: SeenStranger): string | null {
    const known = this.#joining(seen);
    return known.kind === 'join' ? known.strangerId : null;
  }

  /** How many unknown people faces are compared with; called under the lock. */
  get size(): number {
    return this.#gallery.size;
  }

  /** Returns who cannot be compared with vectors of these packs; called under the lock. */
  notComparableBy(packs: ReadonlySet<string>): string[] {
    return this.#gallery.withoutAnyOf(packs);
  }

  /**
   * Returns the unknown people who resemble a person with these vectors, at most `limit` for each vector; of merged
   * ones it returns the one that stands for all. Called under the lock. `among`: with how many unknown faces the person
   * is compared in all.
   */
  likeThem(
    person: readonly Reference[],
    among: number,
    limit: number,
  ): ReadonlyMap<string, Likeness> {
    const found = new Map<string, Likeness>();
    for (const { pack, vector } of person) {
      const far = this.#calibrationOf(pack)?.far1e2 ?? 0;
      for (const { groupId, distance } of this.#gallery.nearest(vector, pack, limit)) {
        if (distance >= far || found.has(groupId)) continue;
        const packs = new Set(person.map((one) => one.pack));
        const seen = [...packs].flatMap((of) => this.#gallery.referencesOf(groupId, of));
        const like = likeness({ person, seen, among, calibrationOf: this.#calibrationOf });
        if (like) found.set(groupId, like);
      }
    }
    return found;
  }

  /** Drops what is in memory of an identity that was erased. */
  forget(identityId: string): void {
    this.#gallery.forget(identityId);
  }

  /** Returns the identity of the visit; called under the lock. */
  async identityFor(tx: Tx, seen: SeenStranger): Promise<Identity> {
    const known = await this.#joined(tx, seen);
    if (known.kind === 'join') return known.identity;
    const identity = await this.#identities.create(tx, null);
    if (known.kind === 'begin') await this.#numbered(tx, identity, seen);
    return identity;
  }

  /**
   * Takes a better picture of a visit, under the lock, and returns its identity now: a visit seen too badly to be
   * distinguished from others may join or begin a stranger by it. Null: not a stranger any more.
   */
  async identityNow(tx: Tx, identityId: string, seen: SeenStranger): Promise<Identity | null> {
    const row = await this.#store.find(tx, identityId);
    if (!row || row.person_id !== null || row.data_key === null) return null;
    const identity = { id: identityId, key: this.#identities.openKey(identityId, row.data_key) };
    if (row.number !== null) {
      await this.#refer(tx, identity, seen);
      return identity;
    }
    const known = await this.#joined(tx, seen);
    if (known.kind === 'join') return known.identity;
    if (known.kind === 'begin') await this.#numbered(tx, identity, seen);
    return identity;
  }

  /**
   * Called under the lock. Returns the status until now; null: there is no such stranger, or it is named. Of merged
   * strangers it sets the one that stands for all.
   */
  async setStatus(tx: Tx, id: string, status: UnknownStatus): Promise<UnknownStatus | null> {
    const row = await this.#store.find(tx, id);
    if (!row || row.person_id !== null) return null;
    await this.#store.setStatus(tx, id, status);
    return row.status;
  }

  /**
   * Removes these visits from what others are compared with: they belong to another, or are gone. Called under the
   * lock.
   */
  async forgetVisits(tx: Tx, visitIds: readonly string[]): Promise<void> {
    await this.#store.touch(tx, await this.#store.removeReferences(tx, visitIds));
  }

  /** Begins a stranger after a user said that they are not who they were taken for; called under the lock. */
  async begin(tx: Tx): Promise<Identity> {
    const identity = await this.#identities.create(tx, null);
    await this.#store.giveNumber(tx, identity.id);
    return identity;
  }

  /** Takes a picture that is theirs by a user's word as a reference, if it is good enough; called under the lock. */
  async refer(tx: Tx, identity: Identity, seen: ReferencePicture): Promise<void> {
    if (seen.quality >= minJoinQuality) await this.#refer(tx, identity, seen);
  }

  /** Removes an identity with nothing left, if it never got a number. */
  async discard(tx: Tx, identityId: string): Promise<void> {
    await this.#store.remove(tx, identityId);
  }

  async #joined(
    tx: Tx,
    seen: SeenStranger,
  ): Promise<{ kind: 'join'; identity: Identity } | Exclude<Joining, { kind: 'join' }>> {
    for (;;) {
      const known = this.#joining(seen);
      if (known.kind !== 'join') return known;
      const row = await this.#store.find(tx, known.identityId);
      if (row && row.person_id === null && row.data_key !== null) {
        const identity = { id: row.id, key: this.#identities.openKey(row.id, row.data_key) };
        await this.#refer(tx, identity, seen);
        return { kind: 'join', identity };
      }
      // A restored database does not know what this node has in memory.
      this.#gallery.forget(known.identityId);
    }
  }

  #joining({ vector, packId, packVersion, quality, ...seen }: SeenStranger): Joining {
    const pack = `${packId}@${packVersion}`;
    const limits = this.#calibrationOf(pack);
    // Without the pack it is not known who is near by its vectors.
    if (!limits) return { kind: 'apart' };
    const beside = new Set(seen.beside);
    const nearest = this.#gallery
      .nearest(vector, pack, beside.size + 2)
      .map(({ groupId, ...near }) => ({ strangerId: groupId, ...near }));
    const compared = this.#gallery.references(pack);
    const { resembles = false } = seen;
    return joining({ quality, resembles, nearest, beside, compared }, limits);
  }

  async #numbered(tx: Tx, identity: Identity, seen: SeenStranger): Promise<void> {
    await this.#store.giveNumber(tx, identity.id);
    await this.#refer(tx, identity, seen);
  }

  /** The picture becomes one of their references, if it adds something. */
  async #refer(tx: Tx, identity: Identity, seen: ReferencePicture): Promise<void> {
    const pack = `${seen.packId}@${seen.packVersion}`;
    const limits = this.#calibrationOf(pack);
    if (!limits) return;
    const rows = await this.#store.references(tx, [identity.id]);
    const kept = rows
      .flatMap((row) => this.#opened(identity.key, row))
      .filter((reference) => reference.pack === pack);
    const next = withReference(kept, seen, limits.strict * alikeShare);
    const gone = kept.filter((reference) => !next.includes(reference));
    await this.#store.removeReferences(
      tx,
      gone.map(({ visitId }) => visitId),
    );
    if (next.some((reference) => reference === seen)) {
      await this.#store.addReference(tx, sealed(identity, seen));
    } else if (gone.length === 0) return;
    await this.#store.touch(tx, [identity.id]);
  }

  /** Reads all that any node committed before the lock was taken. */
  async #catchUp(tx: Tx): Promise<void> {
    if (this.#isStale) {
      this.#isStale = false;
      this.#gallery = new GroupedGallery();
      this.#revision = 0;
    }
    for (let read = batch; read === batch;) {
      const changed = await this.#store.changedSince(tx, this.#revision, batch);
      read = changed.length;
      const strangers = changed.filter(({ is_stranger }) => is_stranger);
      const rows = Map.groupBy(
        await this.#store.references(
          tx,
          strangers.map(({ id }) => id),
        ),
        ({ identity_id }) => identity_id,
      );
      for (const identity of changed) this.#hear(identity, rows.get(identity.id) ?? []);
    }
  }

  #hear(changed: ChangedIdentity, rows: readonly StrangerReferenceRow[]): void {
    const { id, revision, stranger_id, data_key, is_stranger } = changed;
    if (is_stranger && data_key) {
      const key = this.#identities.openKey(id, data_key);
      this.#gallery.replace(
        id,
        stranger_id,
        rows.flatMap((row) => this.#opened(key, row)),
      );
    } else this.#gallery.forget(id);
    this.#revision = revision;
  }

  /** Empty when the row was changed outside the product: no face is compared with it, and visits go on. */
  #opened(key: SecretKey, row: StrangerReferenceRow): (StrangerReference & Reference)[] {
    const { visit_id: visitId, quality } = row;
    try {
      return openVectors(row, key, referencePlace(visitId)).map((reference) => ({
        visitId,
        quality,
        ...reference,
      }));
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.#log.error({ err: error, visit: visitId }, 'reference cannot be opened');
      return [];
    }
  }
}

/** Identities that are loaded at a time. */
const batch = 2_000;
/** As a share of the strict limit: pictures nearer than that show the same. */
const alikeShare = 0.4;

export const referencePlace = (visitId: string): string => `stranger_reference.vector:${visitId}`;

function sealed({ id, key }: Identity, seen: ReferencePicture): StrangerReferenceRow {
  return {
    visit_id: seen.visitId,
    identity_id: id,
    pack_id: seen.packId,
    pack_version: seen.packVersion,
    vector: key.seal(vectorBytes(seen.vector), referencePlace(seen.visitId)),
    ...noOtherPack,
    quality: seen.quality,
    seen_at: new Date(seen.startedAtMs),
  };
}
