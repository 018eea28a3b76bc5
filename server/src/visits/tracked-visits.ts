/**
 * Turns decisions about tracks into visits in the log: one row per visit of a person to a camera, written before it
 * is shown, kept up to date while they stay, and corrected when a better picture says otherwise. Decisions of one
 * track are taken in order; while the database is away they wait.
 */
import { isRowRefused } from '#db/connection.ts';
import type { Clock } from '#lib/clock.ts';
import { backoffMs } from '#lib/backoff.ts';
import type { Log } from '#lib/log.ts';
import type { Topic } from '#lib/topic.ts';
import type { FaceEstimate } from '#vision/vision.ts';
import { attributesInTime, type ReadAttributes } from './attributes-in-time.ts';
import { longestVisitMs, RecentVisits } from './recent-visits.ts';
import type { Visits, VisitPicture } from './visits.ts';

/** A decision about a track, in wall time. */
export interface TrackDecision {
  readonly track: string;
  readonly cameraId: string;
  /** Null: an unknown person. */
  readonly identityId: string | null;
  /** An unknown person may be an enrolled one whom too few pictures showed: they begin no stranger. */
  readonly resembles?: boolean;
  /** How sure it is that it is this identity; null: there was no match. */
  readonly confidence: number | null;
  readonly startedAtMs: number;
  readonly seenAtMs: number;
  readonly picture: VisitPicture;
  readonly ended: boolean;
}

/** What is written of a track, and so may be shown. */
export interface Recorded {
  readonly visitId: string;
  readonly identityId: string;
  readonly isKnown: boolean;
  readonly confidence: number | null;
}

/** The best match counts; one that was not made counts nothing. */
const surest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

/** "Still in view" is written this often, not with every picture. */
const extendEveryMs = 5_000;

/** The identity of a visit that is not written. */
const noIdentity = '';

interface TrackedVisit {
  /** A person who stays for longer than a visit lasts has another one from then on. */
  id: string;
  readonly cameraId: string;
  /** The track it began with; only that one may decide that it was another person. */
  readonly track: string;
  identityId: string;
  isKnown: boolean;
  /** False: an unknown passer-by of whom nothing is written; they are shown while they are in view. */
  isKept: boolean;
  startedAtMs: number;
  endedAtMs: number;
  writtenEndMs: number;
  confidence: number | null;
  /** How sure the log says it is. */
  writtenConfidence: number | null;
  quality: number;
  /** What was written of it resembled an enrolled person. */
  resembles: boolean;
  /** The attributes of the face when the visit began: they are kept with each better picture. */
  attributes: FaceEstimate | null;
  /** The next visit, while it is being begun; tracks may share a visit. */
  next?: { readonly id: string; begun: Promise<void> | null };
}

/** `attributes`: absent until they were asked for. */
type PendingVisit = Pick<TrackedVisit, 'id' | 'cameraId' | 'endedAtMs'> & {
  attributes?: FaceEstimate | null;
};

export interface TrackedVisitsOptions {
  readonly visits: Pick<
    Visits,
    'write' | 'extend' | 'beginNext' | 'reassign' | 'withdraw' | 'newVisitId' | 'personOf'
  >;
  /** Published when the person of an identity has changed: of this one, or (null) of any. */
  readonly changed: Topic<{ readonly identityId: string | null }>;
  /** Whether visits of unknown people are written at all; asked when one would be. */
  readonly keepsStrangers: () => Promise<boolean>;
  /** The attributes of the face; null if not enabled. Requested once, when a visit is about to be written. */
  readonly attributesOf: ReadAttributes;
  readonly clock: Clock;
  readonly log: Log;
}

export class TrackedVisits implements AsyncDisposable {
  readonly #options: TrackedVisitsOptions;
  readonly #stop = new AbortController();
  /** By track, while the track lasts. */
  readonly #tracks = new Map<string, TrackedVisit>();
  readonly #recent = new RecentVisits<TrackedVisit>();
  readonly #queues = new Map<string, Promise<void>>();
  readonly #listening: Disposable;

  constructor(options: TrackedVisitsOptions) {
    this.#options = options;
    this.#listening = options.changed.on(({ identityId }) => this.#askAgain(identityId));
  }

  /** What of this track is in the log; null while nothing is. */
  recorded(track: string): Recorded | null {
    const visit = this.#tracks.get(track);
    if (!visit) return null;
    const { id, identityId, isKnown, confidence } = visit;
    return { visitId: id, identityId, isKnown, confidence };
  }

  /** Takes a decision; it is written after those of the same track before it. */
  decided(decision: TrackDecision): void {
    const { track } = decision;
    const before = this.#queues.get(track) ?? Promise.resolve();
    this.#enqueue(
      track,
      before.then(() => this.#insist(decision)),
    );
  }

  /** Called while a face is still in view: written now and then. */
  stillSeen(track: string, atMs: number): void {
    const visit = this.#tracks.get(track);
    if (!visit) return;
    visit.endedAtMs = Math.max(visit.endedAtMs, atMs);
    if (!visit.isKept) return;
    if (visit.endedAtMs - visit.writtenEndMs < extendEveryMs || this.#queues.has(track)) return;
    const after = this.#extend(visit, null).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'end of a visit could not be written');
    });
    this.#enqueue(track, after);
  }

  /** The people in view as this identity may not be them any more: a user said so, here or on another node. */
  #askAgain(identityId: string | null): void {
    for (const [track, visit] of this.#tracks) {
      const isMeant = identityId === null || visit.identityId === identityId;
      if (!visit.isKept || !visit.isKnown || !isMeant) continue;
      const before = this.#queues.get(track) ?? Promise.resolve();
      const asked = before.then(() => this.#extend(visit, null));
      this.#enqueue(
        track,
        asked.catch((error: unknown) => {
          this.#options.log.warn({ err: error }, 'whose visit it is could not be asked');
        }),
      );
    }
  }

  /** Resolves when everything that was decided until now is written, or has failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#queues.values());
  }

  /** Waits for pending writes; gives up what a database that stays away cannot take. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening[Symbol.dispose]();
    const timer = setTimeout(() => this.#stop.abort(), 3_000);
    await this.settled();
    clearTimeout(timer);
    this.#stop.abort();
  }

  /** Later work on this track waits for `work`, which never rejects. */
  #enqueue(track: string, work: Promise<void>): void {
    this.#queues.set(track, work);
    void work.finally(() => {
      if (this.#queues.get(track) === work) this.#queues.delete(track);
    });
  }

  async #insist(decision: TrackDecision): Promise<void> {
    const { clock, log } = this.#options;
    for (let failures = 1; !this.#stop.signal.aborted; failures += 1) {
      try {
        return await this.#write(decision);
      } catch (error) {
        if (isRowRefused(error)) {
          log.error({ err: error, camera: decision.cameraId }, 'visit was refused');
          return this.#forget(decision.track);
        }
        log.warn({ err: error, camera: decision.cameraId }, 'visit could not be written yet');
        const delayMs = backoffMs({ firstMs: 100, maxMs: 5_000 }, failures, Math.random);
        await clock.wait(delayMs, this.#stop.signal).catch(() => undefined);
      }
    }
    log.error({ camera: decision.cameraId }, 'visit was not written');
  }

  async #write(given: TrackDecision): Promise<void> {
    // Checked at the time of writing: a person who was removed meanwhile is unknown.
    const decision = this.#personOf(given.identityId) ? given : { ...given, identityId: null };
    const visit = this.#visitOf(decision);
    if (!visit) await this.#begin(decision);
    else await this.#follow(visit, decision);
    if (decision.ended) this.#tracks.delete(decision.track);
  }

  /** The visit this track belongs to; null when it begins one. */
  #visitOf(decision: TrackDecision): TrackedVisit | null {
    const visit = this.#tracks.get(decision.track);
    const isNamedNow = visit?.isKept === false && decision.identityId !== null;
    const isItsOwn = visit?.track === decision.track && !isNamedNow;
    if (visit && (isItsOwn || !this.#isOther(visit, decision))) return visit;
    // A passer-by turned out to be known: their visit begins. Or the track continued another person's visit and turns
    // out not to be them: what that visit says stays true.
    this.#tracks.delete(decision.track);
    return this.#continued(decision);
  }

  /** The visit of the same person at the same camera that was interrupted a moment ago. */
  #continued({ track, cameraId, identityId, startedAtMs }: TrackDecision): TrackedVisit | null {
    const personId = this.#personOf(identityId);
    if (personId === null) return null;
    const visit = this.#recent
      .openAt(cameraId, startedAtMs)
      .find((it) => it.isKnown && this.#personOf(it.identityId) === personId);
    if (visit) this.#tracks.set(track, visit);
    return visit ?? null;
  }

  /** Visits of strangers at the same camera that an unknown face may continue; the log decides whose it is. */
  #interrupted({ cameraId, identityId, startedAtMs }: TrackDecision): TrackedVisit[] {
    if (identityId !== null) return [];
    return this.#recent
      .openAt(cameraId, startedAtMs)
      .filter(({ isKnown, endedAtMs }) => !isKnown && endedAtMs < startedAtMs);
  }

  async #begin(decision: TrackDecision): Promise<void> {
    const { track, cameraId, startedAtMs, confidence, resembles } = decision;
    const endedAtMs = Math.max(decision.seenAtMs, startedAtMs);
    const id = this.#idFor(decision);
    const isKept = decision.identityId !== null || (await this.#options.keepsStrangers());
    const attributes = isKept ? await this.#attributesOf(decision) : null;
    const picture = { ...decision.picture, attributes };
    const writtenEndMs = Math.min(endedAtMs, startedAtMs + longestVisitMs);
    const given = { id, cameraId, identityId: decision.identityId, startedAtMs };
    const beside = this.#beside(decision);
    const interrupted = this.#interrupted(decision);
    const mayGoOn = interrupted.map((visit) => visit.id);
    const written = isKept
      ? await this.#options.visits.write({
          ...given,
          endedAtMs: writtenEndMs,
          confidence,
          resembles,
          picture,
          beside,
          mayGoOn,
        })
      : { id, identityId: noIdentity };
    this.#pending.delete(track);
    const goesOn = interrupted.find((visit) => visit.id === written.id);
    if (goesOn) return this.#goOn(goesOn, { ...decision, picture }, written.identityId);
    const visit: TrackedVisit = {
      id,
      cameraId,
      track,
      identityId: written.identityId,
      isKnown: decision.identityId !== null,
      isKept,
      startedAtMs,
      endedAtMs,
      writtenEndMs,
      confidence,
      writtenConfidence: confidence,
      quality: picture.quality,
      resembles: resembles === true,
      attributes,
    };
    this.#tracks.set(track, visit);
    this.#remember(visit);
    await this.#endLong(visit);
  }

  /** Asked once, however often the visit has to be written. */
  async #attributesOf({ track, picture }: TrackDecision): Promise<FaceEstimate | null> {
    const pending = this.#pending.get(track);
    if (pending?.attributes !== undefined) return pending.attributes;
    const within = { ...this.#options, signal: this.#stop.signal };
    const attributes = await attributesInTime(this.#options.attributesOf, picture, within);
    if (pending) pending.attributes = attributes;
    return attributes;
  }

  /** A stranger is back: the log has written the decision as part of the visit they had begun. */
  async #goOn(visit: TrackedVisit, decision: TrackDecision, identityId: string): Promise<void> {
    const { track, seenAtMs, picture } = decision;
    visit.identityId = identityId;
    visit.endedAtMs = Math.max(visit.endedAtMs, seenAtMs);
    visit.writtenEndMs = visit.endedAtMs;
    // The better picture was written with what was read off it.
    if (picture.quality > visit.quality) visit.attributes = picture.attributes ?? null;
    visit.quality = Math.max(visit.quality, picture.quality);
    this.#tracks.set(track, visit);
    this.#remember(visit);
    await this.#endLong(visit);
  }

  /** A person who stays for longer than a visit lasts goes on with the next one, from the end of the one before. */
  async #endLong(visit: TrackedVisit): Promise<void> {
    while (visit.isKept && visit.endedAtMs - visit.startedAtMs > longestVisitMs) {
      const next = (visit.next ??= { id: this.#options.visits.newVisitId(), begun: null });
      next.begun ??= this.#beginNext(visit, next.id).finally(() => (next.begun = null));
      await next.begun;
    }
  }

  async #beginNext(visit: TrackedVisit, id: string): Promise<void> {
    const { visits, keepsStrangers } = this.#options;
    // A moment later: two visits that touch are of two people in view at once.
    const startedAtMs = visit.startedAtMs + longestVisitMs + 1;
    const endedAtMs = Math.min(visit.endedAtMs, startedAtMs + longestVisitMs);
    const isWritten = visit.isKnown || (await keepsStrangers());
    const identityId = isWritten
      ? await visits.beginNext(visit, { id, startedAtMs, endedAtMs })
      : null;
    delete visit.next;
    this.#recent.forget(visit.id);
    if (identityId === null) return this.#isNotKept(visit);
    visit.id = id;
    visit.startedAtMs = startedAtMs;
    visit.writtenEndMs = endedAtMs;
    visit.identityId = identityId;
    visit.isKnown = this.#personOf(identityId) !== null;
    this.#remember(visit);
  }

  #isNotKept(visit: TrackedVisit): void {
    visit.identityId = noIdentity;
    visit.isKnown = false;
    visit.isKept = false;
  }

  /**
   * Visits that are being begun, by track: the id stays the same in every attempt, so that a lost answer makes no
   * second row.
   */
  readonly #pending = new Map<string, PendingVisit>();
  #idFor({ track, cameraId, seenAtMs }: TrackDecision): string {
    const before = this.#pending.get(track);
    const id = before?.id ?? this.#options.visits.newVisitId();
    this.#pending.set(track, { ...before, id, cameraId, endedAtMs: seenAtMs });
    return id;
  }

  /**
   * Visits of other tracks that were in view with this one, written or not: two faces in one picture are two people.
   */
  #beside({ track, cameraId, startedAtMs }: TrackDecision): string[] {
    const own = this.#tracks.get(track)?.id;
    return [...this.#tracks, ...this.#pending]
      .filter(([other, visit]) => other !== track && visit.id !== own)
      .filter(([, visit]) => visit.cameraId === cameraId && visit.endedAtMs >= startedAtMs)
      .map(([, { id }]) => id);
  }

  async #follow(visit: TrackedVisit, decision: TrackDecision): Promise<void> {
    const { identityId, confidence } = decision;
    const picture = { ...decision.picture, attributes: visit.attributes };
    visit.endedAtMs = Math.max(visit.endedAtMs, decision.seenAtMs);
    await this.#endLong(visit);
    if (!visit.isKept) return;
    if (this.#isOther(visit, decision)) {
      if (identityId === null && !(await this.#options.keepsStrangers())) {
        return this.#withdraw(visit);
      }
      const beside = this.#beside(decision);
      const now = { id: visit.id, startedAtMs: visit.startedAtMs, confidence, picture, beside };
      visit.identityId = await this.#options.visits.reassign(now, visit.identityId, identityId);
      // Not the person it was decided to be, when a user said that it is not them.
      visit.isKnown = this.#personOf(visit.identityId) !== null;
      visit.confidence = confidence;
      visit.writtenConfidence = confidence;
      visit.quality = picture.quality;
      this.#remember(visit);
      return;
    }
    // Named while in view: the same identity, now of a known person.
    visit.isKnown = identityId !== null;
    this.#remember(visit);
    visit.confidence = surest(visit.confidence, confidence);
    const better = picture.quality > visit.quality ? picture : null;
    const isDoubtOver = visit.resembles && decision.resembles !== true;
    await this.#extend(visit, better, { beside: this.#beside(decision), isDoubtOver });
    if (isDoubtOver) visit.resembles = false;
  }

  /** The person was wrong, and visits of unknown people are not written. */
  async #withdraw(visit: TrackedVisit): Promise<void> {
    await this.#options.visits.withdraw(visit);
    this.#isNotKept(visit);
  }

  async #extend(
    visit: TrackedVisit,
    better: VisitPicture | null,
    seen: { readonly beside?: readonly string[]; readonly isDoubtOver?: boolean } = {},
  ): Promise<void> {
    await this.#endLong(visit);
    if (!visit.isKept) return;
    const { endedAtMs, confidence } = visit;
    const isSurer = confidence !== visit.writtenConfidence;
    const { visits } = this.#options;
    const now = await visits.extend({ ...visit, ...seen, isSurer }, visit.identityId, better);
    visit.writtenConfidence = confidence;
    if (now !== visit.identityId) {
      // Another stranger by a better picture, or a user said who it is, or is not.
      visit.identityId = now;
      visit.isKnown = this.#personOf(now) !== null;
    }
    visit.writtenEndMs = endedAtMs;
    if (better) visit.quality = better.quality;
  }

  #forget(track: string): void {
    this.#tracks.delete(track);
    this.#pending.delete(track);
  }

  /** Null: no person has this identity now. */
  #personOf(identityId: string | null): string | null {
    return identityId === null ? null : this.#options.visits.personOf(identityId);
  }

  /** Whether a decision says that a visit belongs to another identity than it is written as. */
  #isOther(visit: TrackedVisit, { identityId }: TrackDecision): boolean {
    if (identityId === null) return visit.isKnown;
    if (identityId === visit.identityId) return false;
    return this.#personOf(identityId) !== this.#personOf(visit.identityId);
  }

  /** A visit that is not written cannot be continued. */
  #remember(visit: TrackedVisit): void {
    if (visit.isKept) this.#recent.remember(visit);
  }
}
