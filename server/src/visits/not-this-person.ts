/**
 * A visit that was taken for a person it does not show: it becomes a stranger's, and what it shows is never taken for
 * that person again. When that is taken back, the visit is the person's as before.
 */
import type { Action, Activity } from '#activity/activity.ts';
import type { Database, Tx } from '#db/database.ts';
import type { DecidedBy, Faces, Identity, NegativeRow } from '#faces/faces.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { VisitListStore } from './lists/visit-list-store.ts';
import type { ListedVisit } from './lists/listed-visit-store.ts';
import { asReference, sealPicture, type Pictures, type VisitPicture } from './pictures.ts';
import type { RecognizedAs, VisitRow, VisitStore } from './store.ts';

/** Visits that are compared again when something is taken back: what one person leaves in weeks. */
const maxTakenBack = 500;

interface TakenBack {
  readonly personId: string;
  readonly strangerId: string;
  readonly since: Date;
}

export interface NotThisPersonOptions {
  readonly db: Database;
  readonly visits: VisitStore;
  readonly faceLogs: VisitListStore;
  readonly faces: Faces;
  readonly activity: Activity;
  readonly pictures: Pictures;
  readonly clock: Clock;
}

export class NotThisPerson {
  readonly #options: NotThisPersonOptions;

  constructor(options: NotThisPersonOptions) {
    this.#options = options;
  }

  /**
   * Throws sighting_not_found, sighting_unnamed, sighting_has_no_picture, and face_update_forbidden where the
   * person belongs to another account.
   */
  async say(scope: Scope, id: string): Promise<void> {
    const personId = await this.#change(scope, id, async (tx, row, visible) => {
      const { person_id } = visible;
      if (person_id === null) throw new Problem('sighting_unnamed');
      await this.#options.faces.mustOwn(scope, person_id, 'face_update_forbidden');
      const entry = await this.#record(tx, scope, 'face.not_this_person', person_id, id);
      await this.#ruleOut(tx, row, person_id, entry);
      return person_id;
    });
    await this.#options.faces.reloadPerson(personId);
  }

  /**
   * Throws sighting_not_found, face_update_forbidden, and correction_not_newest when nothing was said or the
   * visit, or the person, is not what it was then.
   */
  async takeBack(scope: Scope, id: string): Promise<void> {
    const { faces } = this.#options;
    const back = await this.#change(scope, id, async (tx, row, visible) => {
      const negative = await faces.negatives.newest(tx, id);
      if (!negative || visible.person_id !== null) throw new Problem('correction_not_newest');
      const { person_id } = negative;
      await faces.mustOwn(scope, person_id, 'face_update_forbidden');
      await this.#giveBack(tx, row, negative);
      await this.#record(tx, scope, 'face.this_person_after_all', person_id, id);
      return { personId: person_id, strangerId: row.identity_id, since: negative.created_at };
    });
    await faces.reloadPerson(back.personId);
    await this.#takeBackMeanwhile(back);
  }

  /**
   * Visits that became the same stranger's since, because what was said ruled the person out: those that recognition
   * gives to the person now are theirs. A user's own word on a visit stays.
   */
  async #takeBackMeanwhile({ personId, strangerId, since }: TakenBack): Promise<void> {
    const { db, visits, faces, pictures } = this.#options;
    for (const place of await visits.ofIdentitySince(strangerId, since, maxTakenBack)) {
      const picture = await pictures.open(place.id);
      const pack = picture && `${picture.packId}@${picture.packVersion}`;
      const match = picture && faces.recognized(place.camera_id, picture.template, pack!);
      if (match?.personId !== personId) continue;
      await db.transaction(async (tx) => {
        await faces.strangers.lock(tx);
        const row = await visits.locked(tx, place);
        if (row?.identity_id !== strangerId || faces.personOf(strangerId) !== null) return;
        if (await faces.negatives.isRuledOut(tx, row.id, match.identityId)) return;
        const to = { id: match.identityId, key: await faces.keyOf(match.identityId) };
        await faces.strangers.forgetVisits(tx, [row.id]);
        const recognized = {
          recognized_as: personId,
          recognized_at: new Date(this.#options.clock.now()),
          recognized_by: pack,
        };
        await this.#move(tx, row, to, picture, match.confidence, recognized);
      });
    }
  }

  /** Whether this reader may take back what was said of the visit, and it is as it was then. */
  async mayTakeBack(scope: Scope, { id, is_corrected, person_id }: ListedVisit): Promise<boolean> {
    if (!is_corrected || person_id !== null) return false;
    const { db, faces } = this.#options;
    const negative = await db.transaction((tx) => faces.negatives.newest(tx, id));
    if (!negative) return false;
    const isTheirs =
      (await faces.erasing.personOf(negative.from_identity_id)) === negative.person_id;
    return isTheirs && faces.mayChange(scope, negative.person_id);
  }

  async #ruleOut(tx: Tx, row: VisitRow, personId: string, by: DecidedBy): Promise<void> {
    const { visits, faces, pictures } = this.#options;
    const picture = await pictures.open(row.id);
    if (!picture) throw new Problem('sighting_has_no_picture');
    const seen = asReference(row, picture);
    await faces.strangers.forgetVisits(tx, [row.id]);
    const beside = await visits.strangersBeside(tx, row, []);
    const to = await faces.strangers.identityFor(tx, { ...seen, beside });
    // How sure recognition was of the person stays known; it is not how sure it is of the stranger.
    await this.#move(tx, row, to, picture, row.confidence);
    const was = { personId, fromId: row.identity_id, confidence: row.confidence };
    await faces.negatives.add(tx, seen, was, to, by);
  }

  async #giveBack(tx: Tx, row: VisitRow, negative: NegativeRow): Promise<void> {
    const { faces, pictures } = this.#options;
    const { from_identity_id: fromId, person_id, confidence } = negative;
    // The identity may have got another name, or lost it.
    if ((await faces.erasing.personOf(fromId)) !== person_id) {
      throw new Problem('correction_not_newest');
    }
    const to = { id: fromId, key: await faces.keyOf(fromId) };
    await faces.strangers.forgetVisits(tx, [row.id]);
    await faces.negatives.takeBack(tx, negative);
    await this.#move(tx, row, to, await pictures.open(row.id), confidence);
    await faces.strangers.discard(tx, row.identity_id);
  }

  async #move(
    tx: Tx,
    row: VisitRow,
    to: Identity,
    kept: VisitPicture | null,
    confidence: number | null,
    recognized?: RecognizedAs,
  ): Promise<void> {
    const { visits, faces } = this.#options;
    const picture = kept && sealPicture(row.id, to, kept);
    const stays = recognized ? { recognized } : {};
    const now = { identity_id: to.id, confidence, quality: row.quality, picture, ...stays };
    await visits.reassign(tx, row, now);
    await faces.negatives.move(tx, row.id, to);
  }

  /** Runs under the lock of strangers, so that the visit's identity does not change meanwhile. */
  #change<R>(
    scope: Scope,
    id: string,
    work: (tx: Tx, row: VisitRow, visible: ListedVisit) => Promise<R>,
  ): Promise<R> {
    const { db, visits, faceLogs, faces } = this.#options;
    return db.transaction(async (tx) => {
      await faces.strangers.lock(tx);
      const visible = await faceLogs.find(scope, id);
      const row = visible && (await visits.locked(tx, visible));
      if (!visible || !row) throw new Problem('sighting_not_found');
      return work(tx, row, visible);
    });
  }

  #record(tx: Tx, actor: Scope, action: Action, personId: string, visit: string) {
    const object = { type: 'face', id: personId } as const;
    return this.#options.activity.recordDecision(tx, { actor, action, object, details: { visit } });
  }
}
