/**
 * What cameras saw: one row per visit, written before any user is shown it, and the event for it. A visit names an
 * identity, never a person: reading joins who that is today.
 */
import type { MatchExplanation } from '@nazar/contract/faces.ts';
import type { Detection, Visit, VisitPage, VisitQuery } from '@nazar/contract/visits.ts';
import { uuidv7 } from '#lib/ids.ts';
import { askedEnds } from '#lib/local-days.ts';
import { Problem } from '#lib/problem.ts';
import { SealBroken } from '#lib/secrets.ts';
import { Topic } from '#lib/topic.ts';
import type { Tx } from '#db/database.ts';
import type { Identity, SeenFace, SeenStranger } from '#faces/faces.ts';
import { addChange, type Change } from '#feed/feed.ts';
import type { Scope } from '#http/scope.ts';
import { asDetection, asVisit } from './answers.ts';
import type { Counting } from './counting/counting.ts';
import type { Deleting } from './deleting.ts';
import type { VisitErasing } from './erasing.ts';
import type { ListedVisit } from './lists/listed-visit-store.ts';
import type { LongVisit, NextVisit } from './next-visit.ts';
import { monthPartitions } from './partitions.ts';
import type { LastSeen } from './lists/last-seen.ts';
import { makeParts, type PartsOptions, type VisitParts } from './parts.ts';
import {
  asPhoto,
  asReference,
  sealPicture,
  type KeptPicture,
  type VisitPicture,
} from './pictures.ts';
import { attributesOf } from './visit-attributes.ts';
import type { VisitDetails } from './visit-details.ts';
import type { VisitNews, ChangedVisit } from './visit-news.ts';
import type { VisitChips } from './reembedding.ts';
import { notRecognized, type RecognizedAs, type VisitRow, type VisitPlace } from './store.ts';
import type { UnknownFaces } from './unknown-faces.ts';
import type { UnknownFinder } from './unknown-matches/unknown-matches.ts';

export { VisitErasing } from './erasing.ts';
export { NamingFollower } from './naming/naming-follower.ts';
export type { Counting } from './counting/counting.ts';
export { isErased } from './lists/visit-filter-store.ts';
export { mayName } from './readable-names-store.ts';
export type { VisitPicture } from './pictures.ts';
export type { SeenLast } from './lists/last-seen.ts';
export { longestVisit } from './store.ts';
export type { ChangedVisit, SentVisits } from './visit-news.ts';
export type { UnknownFaces } from './unknown-faces.ts';
export type { FoundUnknown } from './unknown-matches/unknown-matches.ts';

export interface DecidedVisit {
  /** Made by the writer when it decided, so that repeating is harmless. */
  readonly id: string;
  readonly cameraId: string;
  /** Null: an unknown person; a new identity begins with this visit, unless a stranger joins it. */
  readonly identityId: string | null;
  /** The picture of an unknown person may show an enrolled person: it begins no stranger and joins none. */
  readonly resembles?: boolean | undefined;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** How sure recognition is that it is `identityId`; null: there was no match. */
  readonly confidence: number | null;
  readonly picture: VisitPicture;
  /** Visits of others in view of the same camera at the same time, written or about to be. */
  readonly beside?: readonly string[];
  /** Visits of unknown people that were interrupted a moment ago: if it is the same stranger, theirs goes on. */
  readonly mayGoOn?: readonly string[];
}

type ExtendedVisit = Pick<
  DecidedVisit,
  'id' | 'startedAtMs' | 'endedAtMs' | 'confidence' | 'beside'
> & {
  /** It resembled an enrolled person until now: from here on an unknown person was seen. */
  readonly isDoubtOver?: boolean;
};

interface Extended {
  readonly identityId: string;
  /** Null: there is no such visit any more. */
  readonly cameraId: string | null;
  /** The identity that it had. */
  readonly wasIdentityId: string | null;
}

/** What determines which stranger a visit shows. */
type SeenVisit = Pick<DecidedVisit, 'picture' | 'resembles' | 'beside' | 'mayGoOn'>;

/** The visit as which it was written: itself, or the one that it continued. */
export interface Written {
  readonly id: string;
  readonly identityId: string;
  readonly startedAtMs: number;
}

export type VisitsOptions = PartsOptions;

/** A camera whose clock is wrong sends many. */
const warnEveryMs = 60 * 60_000;

export class Visits {
  /** Published when a visit was written, changed or taken out. `news` says what each reader may know of it. */
  readonly seen: Topic<ChangedVisit>;
  readonly news: VisitNews;
  readonly erasing: VisitErasing;
  readonly unknown: UnknownFaces;
  readonly unknownMatches: UnknownFinder;
  readonly chipSource: VisitChips;
  readonly lastSeen: LastSeen;
  readonly counting: Counting;
  readonly deleting: Deleting;
  readonly details: VisitDetails;
  readonly #options: VisitsOptions;
  readonly #parts: VisitParts;
  #warnedMs = Number.NEGATIVE_INFINITY;

  constructor(options: VisitsOptions) {
    this.#options = options;
    this.seen = new Topic((error) =>
      options.log.error({ err: error }, 'reader of visits.seen failed'),
    );
    const parts = makeParts(options, {
      seen: this.seen,
      isOutside: (row) => this.#warnOfPartition(row),
    });
    this.#parts = parts;
    this.news = parts.news;
    this.erasing = parts.erasing;
    this.unknown = parts.unknown;
    this.unknownMatches = parts.unknownMatches;
    this.chipSource = parts.chipSource;
    this.lastSeen = parts.lastSeen;
    this.counting = parts.counting;
    this.deleting = parts.deleting;
    this.details = parts.details;
  }

  /** Resolves once the row is committed; harmless to repeat with the same id. */
  async write(visit: DecidedVisit): Promise<Written> {
    const written = await this.#options.db.transaction((tx) => this.#write(tx, visit));
    this.#publish(written, visit.cameraId);
    return written;
  }

  /**
   * Called while a person is still in view, or was seen better. Resolves with the identity the visit has now: a
   * better picture may show which stranger it is, and a user may have said that it is another person. `isSurer`:
   * recognition is surer than what was written.
   */
  async extend(
    visit: ExtendedVisit & { readonly isSurer?: boolean },
    identityId: string,
    betterPicture: VisitPicture | null,
  ): Promise<string> {
    const now = await this.#options.db.transaction((tx) =>
      this.#extend(tx, visit, identityId, betterPicture),
    );
    // The event does not change because a person is still in view.
    const isOther = now.wasIdentityId !== null && now.wasIdentityId !== now.identityId;
    if (isOther || visit.isSurer === true) this.#publish(visit, now.cameraId);
    return now.identityId;
  }

  /**
   * Ends a visit that has lasted as long as one may, and begins the next of the same person, who stays. Resolves with
   * the identity it has; null: the person was erased, and nothing more is written. Harmless to repeat.
   */
  async beginNext(before: LongVisit, next: NextVisit): Promise<string | null> {
    const identityId = await this.#parts.nextVisits.begin(before, next);
    if (identityId) this.#publish(next, before.cameraId);
    return identityId;
  }

  async #extend(
    tx: Tx,
    visit: ExtendedVisit & { readonly isSurer?: boolean },
    identityId: string,
    betterPicture: VisitPicture | null,
  ): Promise<Extended> {
    const row = { id: visit.id, started_at: new Date(visit.startedAtMs) };
    // Visits of known people do not wait for those of others.
    const isStrangers = betterPicture !== null && this.personOf(identityId) === null;
    if (isStrangers) await this.#options.faces.strangers.lock(tx);
    const recognized = this.#recognizedAs(identityId, visit.confidence, betterPicture);
    const change = { ended_at: new Date(visit.endedAtMs), ...recognized };
    const current = await this.#parts.store.extend(tx, row, change);
    if (!current) return { identityId, cameraId: null, wasIdentityId: null };
    const cameraId = current.camera_id;
    const from = current.identity_id;
    const as = (now: string): Extended => ({ identityId: now, cameraId, wasIdentityId: from });
    if (visit.isDoubtOver === true || visit.isSurer === true)
      await addChange(tx, this.#changeOf(visit.id));
    if (!betterPicture) return as(from);
    const better = { ...visit, picture: betterPicture };
    const stranger = isStrangers ? await this.#strangerNow(tx, current, better) : null;
    const now = stranger ?? (await this.#unlessErased(from));
    return as(now ? await this.#keepBetter(tx, current, now, better) : from);
  }

  /** Returns the visit's identity by a better picture; null: not a stranger's, or not any more. */
  async #strangerNow(
    tx: Tx,
    current: VisitRow,
    visit: Pick<DecidedVisit, 'picture' | 'beside'>,
  ): Promise<Identity | null> {
    const seen = await this.#seenStranger(tx, current, visit);
    return this.#options.faces.strangers.identityNow(tx, current.identity_id, seen);
  }

  /** Returns the identity the visit has from then on. */
  async #keepBetter(
    tx: Tx,
    current: VisitRow,
    now: Identity,
    visit: Pick<DecidedVisit, 'id'> & { readonly picture: VisitPicture },
  ): Promise<string> {
    const from = current.identity_id;
    const { quality } = visit.picture;
    const picture = sealPicture(visit.id, now, visit.picture);
    if (now.id === from) {
      await this.#parts.store.replacePicture(tx, current, quality, picture);
      return from;
    }
    const to = { identity_id: now.id, confidence: current.confidence, quality, picture };
    await this.#parts.store.reassign(tx, current, to);
    await addChange(tx, this.#changeOf(visit.id));
    await this.#options.faces.negatives.move(tx, visit.id, now);
    await this.#options.faces.strangers.discard(tx, from);
    return now.id;
  }

  async #seenStranger(
    tx: Tx,
    row: VisitPlace,
    { picture, resembles = false, beside = [], mayGoOn = [] }: SeenVisit,
  ): Promise<SeenStranger> {
    return {
      ...asReference(row, picture),
      resembles,
      beside: await this.#parts.store.strangersBeside(tx, row, beside, mayGoOn),
    };
  }

  /**
   * Moves a visit that turned out to be another's: to another identity, or (null) to an unknown one. Resolves with
   * the identity it has now.
   */
  async reassign(
    visit: Pick<DecidedVisit, 'id' | 'startedAtMs' | 'confidence' | 'picture' | 'beside'>,
    from: string,
    to: string | null,
  ): Promise<string> {
    const row = { id: visit.id, started_at: new Date(visit.startedAtMs) };
    let movedAt: string | null = null;
    const identityId = await this.#options.db.transaction(async (tx) => {
      movedAt = null;
      await this.#options.faces.strangers.lock(tx);
      const kept = await this.#parts.store.locked(tx, row);
      const current = kept?.identity_id ?? from;
      // Repeated, because the answer to the commit was lost.
      if (!kept || (to === null ? current !== from : current === to)) return current;
      // If a person was erased while in view, the visit stays as it is: none of its pictures is stored again.
      if (await this.#options.faces.erasing.isErased(tx, current)) return current;
      // A user said that it is not them; what was decided before that is outdated.
      if (to && (await this.#options.faces.negatives.isRuledOut(tx, visit.id, to))) return current;
      await this.#options.faces.strangers.forgetVisits(tx, [visit.id]);
      const identity = await this.#identityOf(tx, to, kept, visit);
      const sealed = sealPicture(visit.id, identity, visit.picture);
      await this.#parts.store.reassign(tx, row, {
        identity_id: identity.id,
        quality: visit.picture.quality,
        picture: sealed,
        ...this.#reassigned(to, visit),
      });
      await addChange(tx, this.#changeOf(visit.id));
      await this.#options.faces.negatives.move(tx, visit.id, identity);
      movedAt = kept.camera_id;
      return identity.id;
    });
    this.#publish(visit, movedAt);
    return identityId;
  }

  /** Removes a visit that should not have been written, as if it never had been; one of an erased person stays. */
  async withdraw({ id, startedAtMs }: Pick<DecidedVisit, 'id' | 'startedAtMs'>): Promise<void> {
    const row = { id, started_at: new Date(startedAtMs) };
    const cameraId = await this.#options.db.transaction(async (tx) => {
      await this.#options.faces.erasing.referencesOf(tx, [id]);
      const kept = await this.#parts.store.locked(tx, row);
      if (kept && (await this.#options.faces.erasing.isErased(tx, kept.identity_id))) return null;
      await this.erasing.visit(tx, row);
      if (kept) await addChange(tx, this.#changeOf(id));
      return kept?.camera_id ?? null;
    });
    this.#publish({ id, startedAtMs }, cameraId);
  }

  /** What recognition decided goes to the feed; what users say of the past, and a visit that goes on, do not. */
  #changeOf(visitId: string): Change {
    return { kind: 'visit', subject: visitId, at: new Date(this.#options.clock.now()) };
  }

  /** Null: nothing was written. */
  #publish(
    { id: visitId, startedAtMs }: Pick<DecidedVisit, 'id' | 'startedAtMs'>,
    cameraId: string | null,
  ): void {
    if (cameraId !== null) this.seen.publish({ visitId, cameraId, startedAtMs });
  }

  /** In days of `timeZone`. Throws time_zone_unknown, page_too_late. */
  async list(scope: Scope, query: VisitQuery, timeZone = 'UTC'): Promise<VisitPage> {
    const { start_date, end_date, ...rest } = query;
    const { count, isMore, rows } = await this.#parts.faceLogs.list(scope, {
      ...rest,
      ...askedEnds({ start_date, end_date }, timeZone),
    });
    if (rows.length === 0 && query.page > 1) throw new Problem('page_too_late', { field: 'page' });
    const attributes = await attributesOf(this.#options.faces, rows);
    const results = rows.map((row) => asVisit(scope, row, attributes));
    return { count, results, ...(isMore ? { more: true } : {}) };
  }

  /** Returns all visits of one person at cameras that the scope may see, the newest first. */
  visitsOf(scope: Scope, personId: string): Promise<Visit[]> {
    return this.#allVisits(scope, { person_id: personId });
  }

  async #allVisits(
    scope: Scope,
    whose: Pick<VisitQuery, 'person_id' | 'unknown' | 'is_recognized'>,
  ): Promise<Visit[]> {
    const visits: Visit[] = [];
    const query = { from: null, until: null, page: 1, limit: 1_000, ...whose };
    for (let last: ListedVisit | undefined; ;) {
      const rows = await this.#parts.faceLogs.page(scope, last ? { ...query, after: last } : query);
      const attributes = await attributesOf(this.#options.faces, rows);
      visits.push(...rows.map((row) => asVisit(scope, row, attributes)));
      last = rows.at(-1);
      if (rows.length < query.limit) return visits;
    }
  }

  /** Returns all visits of one unknown person, merged ones together, as `visitsOf` does. */
  async visitsOfUnknown(scope: Scope, strangerId: string): Promise<Visit[]> {
    return this.#allVisits(scope, { unknown: strangerId, is_recognized: false });
  }

  /** The newest visits, as the dashboard lists them. */
  async detections(scope: Scope, limit: number): Promise<Detection[]> {
    const query = { from: null, until: null, page: 1, limit };
    return (await this.#parts.faceLogs.page(scope, query)).map(asDetection);
  }

  /** The visit becomes a stranger's. Throws as NotThisPerson.say does. */
  async notThisPerson(scope: Scope, id: string): Promise<Visit> {
    await this.#parts.notThisPerson.say(scope, id);
    return this.#corrected(scope, id);
  }

  /** Throws as NotThisPerson.takeBack does. */
  async thisPersonAfterAll(scope: Scope, id: string): Promise<Visit> {
    await this.#parts.notThisPerson.takeBack(scope, id);
    return this.#corrected(scope, id);
  }

  async #corrected(scope: Scope, id: string): Promise<Visit> {
    const row = await this.#parts.faceLogs.find(scope, id);
    if (!row) throw new Problem('sighting_not_found');
    this.#publish({ id, startedAtMs: row.started_at.getTime() }, row.camera_id);
    return asVisit(scope, row, await attributesOf(this.#options.faces, [row]));
  }

  /** A JPEG. Throws sighting_not_found, sighting_has_no_picture, sighting_picture_hidden. */
  async picture(scope: Scope, id: string): Promise<Buffer> {
    return (await this.#openPicture(scope, id)).chip;
  }

  /** Returns what enrolling "this face I am seeing now" needs. Throws as `picture` does. */
  async seenFace(scope: Scope, id: string): Promise<SeenFace> {
    const picture = await this.#openPicture(scope, id);
    // Naming a stranger names all their visits: only a reader who may see all of them may do it.
    const isSeenElsewhere = await this.unknown.isSeenElsewhere(scope, picture.identityId);
    return { identityId: isSeenElsewhere ? null : picture.identityId, photo: asPhoto(picture) };
  }

  /** Explains what the face of a visit is near to today. Throws as `picture` does. */
  async explain(scope: Scope, id: string): Promise<MatchExplanation> {
    const { template, packId, packVersion, ...seen } = await this.#openPicture(scope, id);
    const { quality, cameraId, identityId } = seen;
    const pack = `${packId}@${packVersion}`;
    return this.#options.faces.explain(scope, {
      pack,
      vector: template,
      quality,
      cameraId,
      identityId,
    });
  }

  /** The person of this identity today: null after they were removed or deactivated. */
  personOf(identityId: string): string | null {
    return this.#options.faces.personOf(identityId)?.personId ?? null;
  }

  /**
   * Makes the partitions of this month and the next two; called at start and daily. A failure does not stop the
   * start: the visits go to the default partition.
   */
  async preparePartitions(): Promise<void> {
    for (const { name, from, until } of monthPartitions(this.#options.clock.now(), 3)) {
      await this.#parts.store
        .ensurePartition(name, from, until)
        .catch((error: unknown) =>
          this.#options.log.error({ err: error, name }, 'partition was not made'),
        );
    }
  }

  newVisitId(): string {
    return uuidv7(this.#options.clock.now());
  }

  async #write(tx: Tx, visit: DecidedVisit): Promise<Written> {
    const row = {
      id: visit.id,
      camera_id: visit.cameraId,
      started_at: new Date(visit.startedAtMs),
      ended_at: new Date(visit.endedAtMs),
      quality: visit.picture.quality,
      deleted_at: null,
      ...this.#recognizedAs(visit.identityId, visit.confidence, visit.picture),
    };
    if (visit.identityId === null) {
      await this.#options.faces.strangers.lock(tx);
      // A repeated visit of an unknown person has its identity already; a second identity would have no visit.
      const kept = await this.#parts.store.locked(tx, row);
      if (kept) {
        const { id, identity_id: identityId, started_at } = kept;
        return { id, identityId, startedAtMs: started_at.getTime() };
      }
      const gone = await this.#goOn(tx, row, visit);
      if (gone) return gone;
    }
    const identity = await this.#identityOf(tx, visit.identityId, row, visit);
    const { id } = identity;
    const sealed = sealPicture(visit.id, identity, visit.picture);
    const picture = { visit_id: visit.id, identity_id: id, ...sealed };
    const written = { ...row, identity_id: id };
    // Who resembles an enrolled person is often that person, seen badly: a better picture decides.
    const change = visit.resembles === true ? null : this.#changeOf(visit.id);
    const isOutside = await this.#parts.store.add(tx, written, picture, change);
    if (isOutside) this.#warnOfPartition(row);
    return { id: visit.id, identityId: id, startedAtMs: visit.startedAtMs };
  }

  /** A later decision replaces what recognition said before. */
  #reassigned(
    to: string | null,
    { confidence, picture }: Pick<DecidedVisit, 'confidence' | 'picture'>,
  ) {
    const { confidence: sure, ...recognized } = this.#recognizedAs(to, confidence, picture);
    return { confidence: sure, recognized };
  }

  /** What recognition says at this moment: as whom, how sure, by which models. */
  #recognizedAs(
    identityId: string | null,
    confidence: number | null,
    picture: Pick<VisitPicture, 'packId' | 'packVersion'> | null,
  ): RecognizedAs & Pick<VisitRow, 'confidence'> {
    const personId = identityId === null ? null : this.personOf(identityId);
    if (personId === null || confidence === null) return { confidence: null, ...notRecognized };
    return {
      confidence,
      recognized_as: personId,
      recognized_at: new Date(this.#options.clock.now()),
      recognized_by: picture && `${picture.packId}@${picture.packVersion}`,
    };
  }

  /** Such visits go by age one by one, and lists of their time are slower: a clock is wrong, or a month was not made. */
  #warnOfPartition({ camera_id, started_at }: VisitPlace): void {
    const nowMs = this.#options.clock.now();
    if (nowMs - this.#warnedMs < warnEveryMs) return;
    this.#warnedMs = nowMs;
    this.#options.log.warn({ camera: camera_id, started_at }, 'visit is outside of all months');
  }

  /** Continues the interrupted visit of the same stranger; null: there is none. Called under the lock. */
  async #goOn(tx: Tx, row: VisitPlace, visit: DecidedVisit): Promise<Written | null> {
    const { mayGoOn = [], endedAtMs, confidence, picture } = visit;
    if (mayGoOn.length === 0) return null;
    const whose = this.#options.faces.strangers.whoIs(await this.#seenStranger(tx, row, visit));
    const open = whose && (await this.#parts.store.newestOf(tx, whose, row, mayGoOn));
    if (!open) return null;
    const { id, started_at } = open;
    const goesOn = { id, startedAtMs: started_at.getTime(), endedAtMs, confidence };
    const better = picture.quality > open.quality ? picture : null;
    const identityId = (await this.#extend(tx, goesOn, open.identity_id, better)).identityId;
    return { id, identityId, startedAtMs: goesOn.startedAtMs };
  }

  async #identityOf(
    tx: Tx,
    known: string | null,
    row: VisitPlace,
    visit: SeenVisit,
  ): Promise<Identity> {
    if (known !== null) return { id: known, key: await this.#options.faces.keyOf(known) };
    return this.#options.faces.strangers.identityFor(tx, await this.#seenStranger(tx, row, visit));
  }

  /** Null after erasure: what was stored of them is gone, and nothing new is stored. */
  async #unlessErased(id: string): Promise<Identity | null> {
    try {
      return { id, key: await this.#options.faces.keyOf(id) };
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  async #openPicture(scope: Scope, id: string): Promise<KeptPicture & { cameraId: string }> {
    const visible = await this.#parts.faceLogs.find(scope, id);
    if (!visible) throw new Problem('sighting_not_found');
    if (visible.picture === 'hidden') throw new Problem('sighting_picture_hidden');
    const picture = await this.#parts.pictures.open(id);
    if (!picture) throw new Problem('sighting_has_no_picture');
    return { ...picture, cameraId: visible.camera_id };
  }
}
