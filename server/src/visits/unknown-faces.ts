/**
 * Strangers as users manage them: who they are, and how far the review is. What is done to a stranger is done to all
 * their visits, so only a user who may see all the cameras that saw them may do it.
 */
import {
  newUnknownFaces,
  type Identification,
  type UnknownFace,
  type UnknownFacePage,
  type UnknownFaceQuery,
  type UnknownStatus,
} from '@nazar/contract/unknown-faces.ts';
import type { Action, Activity, Details } from '#activity/activity.ts';
import type { Counted } from '#db/bounded-page.ts';
import type { Database, Tx } from '#db/database.ts';
import type { CorrectionRow, Faces, NamedStranger } from '#faces/faces.ts';
import { mayOpenPerson, type Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { imageOf } from './answers.ts';
import type { HiddenPictures } from './hidden-pictures.ts';
import { Together, type Apart } from './naming/together.ts';
import { asPhoto, type Pictures } from './pictures.ts';
import { Splitting } from './splitting.ts';
import type { VisitStore } from './store.ts';
import { UnknownFaceStore, type BestPicture, type ListedStranger } from './unknown-face-store.ts';

export interface UnknownFacesOptions {
  readonly db: Database;
  readonly faces: Faces;
  readonly hidden: HiddenPictures;
  readonly activity: Activity;
  readonly visits: VisitStore;
  readonly pictures: Pictures;
  readonly clock: Clock;
}

export class UnknownFaces {
  readonly #db: Database;
  readonly #store: UnknownFaceStore;
  readonly #faces: Faces;
  readonly #activity: Activity;
  readonly #pictures: Pictures;
  readonly #splitting: Splitting;
  readonly #together: Together;

  constructor({ db, faces, hidden, activity, visits, pictures, clock }: UnknownFacesOptions) {
    this.#db = db;
    this.#store = new UnknownFaceStore(db, hidden);
    this.#faces = faces;
    this.#activity = activity;
    this.#pictures = pictures;
    this.#splitting = new Splitting({ store: this.#store, visits, faces, pictures });
    this.#together = new Together(db, clock);
  }

  async list(scope: Scope, query: UnknownFaceQuery): Promise<UnknownFacePage> {
    const { count, more, rows } = await this.#store.list(scope, query);
    const results = rows.map((row) => asUnknownFace(scope, row));
    return { count, results, ...(more ? { more } : {}) };
  }

  /** Counts strangers that no user has reviewed, at the cameras the reader may see, up to a bound. */
  countNew(scope: Scope): Promise<Counted> {
    return this.#store.count(scope, newUnknownFaces);
  }

  /** Throws unknown_face_not_found. */
  async read(scope: Scope, id: string): Promise<UnknownFace> {
    const row = await this.#store.find(scope, id);
    if (!row) throw new Problem('unknown_face_not_found');
    return asUnknownFace(scope, row);
  }

  /** Returns the number that stays theirs; null outside the scope. */
  async numberOf(scope: Scope, id: string): Promise<number | null> {
    return (await this.#store.find(scope, id))?.number ?? null;
  }

  /** Throws as `#mustReach` does, and unknown_face_named. */
  async updateStatus(scope: Scope, id: string, status: UnknownStatus): Promise<UnknownFace> {
    await this.#change(scope, id, async (tx) => {
      const before = await this.#faces.strangers.setStatus(tx, id, status);
      if (before === null) throw new Problem('unknown_face_named');
      if (before === status) return;
      await this.#record(tx, scope, 'face.unknown_status_changed', id, { status });
    });
    return this.read(scope, id);
  }

  /**
   * Gives all visits of this stranger to a person: an existing one, or a new one enrolled with the best picture of
   * them that the user may see. Throws as `#mustReach` does, unknown_face_named, seen_together,
   * sighting_has_no_picture, sighting_picture_hidden, and what faces refuse.
   */
  async identify(scope: Scope, id: string, as: Identification): Promise<UnknownFace> {
    const apart = as.face ? await this.#apartFrom(scope, id, as.face) : null;
    // All their visits are compared, and no lock is held for that.
    const bestBefore = await this.#store.bestPicture(scope, id);
    const personId = await this.#change(scope, id, async (tx, { person_id }) => {
      if (person_id !== null) throw new Problem('unknown_face_named');
      if (apart) await this.#together.mustStillBeApart(apart);
      const best = await this.#stillBest(scope, id, bestBefore);
      const picture = best.id === null ? null : await this.#pictures.open(best.id);
      const photo = picture && asPhoto(picture);
      if (!as.face && best.picture === 'hidden') throw new Problem('sighting_picture_hidden');
      const face = as.face
        ? await this.#nameAs(tx, scope, { identityId: id, photo }, as.face)
        : await this.#nameAsNew(tx, scope, { identityId: id, photo }, as);
      const entry = await this.#recordDecision(tx, scope, 'face.unknown_identified', id, { face });
      await this.#faces.corrections.decidedBy(tx, id, entry);
      return face;
    });
    await this.#faces.reloadPerson(personId);
    return this.read(scope, id);
  }

  /** Another picture where the visit is another's meanwhile, or gone. */
  async #stillBest(scope: Scope, id: string, best: BestPicture): Promise<BestPicture> {
    const isTheirs = best.id === null || (await this.#store.hasPicture(id, best.id));
    return isTheirs ? best : this.#store.bestPicture(scope, id);
  }

  /** Asked before anything is locked. Throws as `#mustReach` does, unknown_face_named, seen_together. */
  async #apartFrom(scope: Scope, id: string, personId: string): Promise<Apart> {
    const { person_id } = await this.#mustReach(scope, id);
    if (person_id !== null) throw new Problem('unknown_face_named');
    await this.#faces.mustOwn(scope, personId, 'face_update_forbidden');
    return this.#together.mustBeApart({ strangerId: id }, { personId });
  }

  async #nameAs(tx: Tx, scope: Scope, stranger: NamedStranger, personId: string): Promise<string> {
    await this.#faces.mustOwn(scope, personId, 'face_update_forbidden');
    await this.#faces.naming.name(tx, scope, stranger, { personId, isNew: false });
    return personId;
  }

  async #nameAsNew(
    tx: Tx,
    scope: Scope,
    { identityId, photo }: NamedStranger,
    { first_name = '', last_name = '', category = '' }: Identification,
  ): Promise<string> {
    if (!photo) throw new Problem('sighting_has_no_picture');
    const name = { first_name, last_name, category };
    return this.#faces.addNamed(tx, scope, name, { identityId, photo });
  }

  /** Makes two strangers one. Throws as `#mustReach` does for both, unknown_face_named, seen_together. */
  async merge(scope: Scope, id: string, otherId: string): Promise<UnknownFace> {
    if (id === otherId) throw new Problem('unknown_face_itself');
    const mustBothBeUnknown = async (row: ListedStranger): Promise<void> => {
      const other = await this.#mustReach(scope, otherId);
      if (row.person_id !== null || other.person_id !== null) {
        throw new Problem('unknown_face_named');
      }
    };
    await mustBothBeUnknown(await this.#mustReach(scope, id));
    const apart = await this.#together.mustBeApart({ strangerId: id }, { strangerId: otherId });
    await this.#change(scope, id, async (tx, row) => {
      await mustBothBeUnknown(row);
      await this.#together.mustStillBeApart(apart);
      await this.#faces.corrections.merge(tx, id, otherId);
      const entry = await this.#recordDecision(tx, scope, 'face.unknown_merged', id, {
        merged: otherId,
      });
      await this.#faces.corrections.decidedBy(tx, id, entry);
    });
    return this.read(scope, id);
  }

  /**
   * Splits these visits off; returns the stranger they belong to. Throws as `#mustReach` does, unknown_face_named,
   * sighting_not_found, unknown_face_split_whole.
   */
  async split(scope: Scope, id: string, visitIds: readonly string[]): Promise<UnknownFace> {
    const ids = [...new Set(visitIds)];
    const madeId = await this.#change(scope, id, async (tx, { person_id }) => {
      if (person_id !== null) throw new Problem('unknown_face_named');
      const made = await this.#splitting.split(tx, id, ids);
      await this.#faces.corrections.split(tx, id, made);
      const details = { made, visits: ids.length };
      const entry = await this.#recordDecision(tx, scope, 'face.unknown_split', id, details);
      await this.#faces.corrections.decidedBy(tx, made, entry);
      return made;
    });
    return this.read(scope, madeId);
  }

  /**
   * Takes back the latest correction. Throws as `#mustReach` does, correction_not_newest, seen_together, and
   * face_update_forbidden where it was about another user's person.
   */
  async undo(scope: Scope, id: string, correctionId: string): Promise<UnknownFace> {
    const { now, changed } = await this.#change(scope, id, async (tx) => {
      const correction = await this.#faces.corrections.newest(tx, id, correctionId);
      await this.#record(tx, scope, 'face.unknown_undone', id, { kind: correction.kind });
      return this.#takeBack(tx, scope, id, correction);
    });
    await this.#faces.reload(changed);
    return this.read(scope, now);
  }

  /** Returns the stranger as it is now, and the identities that recognition must reload. */
  async #takeBack(
    tx: Tx,
    scope: Scope,
    id: string,
    correction: CorrectionRow,
  ): Promise<{ readonly now: string; readonly changed: readonly string[] }> {
    if (correction.kind === 'identify') {
      return { now: id, changed: await this.#unname(tx, scope, correction) };
    }
    if (correction.kind === 'split') {
      return { now: await this.#unsplit(tx, scope, id, correction), changed: [] };
    }
    return { now: await this.#faces.corrections.unmerge(tx, id, correction), changed: [] };
  }

  async #unsplit(tx: Tx, scope: Scope, id: string, correction: CorrectionRow): Promise<string> {
    const { corrections } = this.#faces;
    const into = await corrections.splitFrom(tx, correction);
    if (into === null) throw new Problem('correction_not_newest');
    await this.#mustReach(scope, into);
    // Under the lock: what was split off are some visits.
    await this.#together.mustBeApart({ strangerId: id }, { strangerId: into });
    await corrections.unsplit(tx, correction, id, into);
    return into;
  }

  /** Returns the identities that changed. */
  async #unname(tx: Tx, scope: Scope, correction: CorrectionRow): Promise<readonly string[]> {
    const personId = correction.person_id!;
    await this.#faces.mustOwn(scope, personId, 'face_update_forbidden');
    const { identityIds, isPersonLeft } = await this.#faces.naming.unname(tx, {
      ...correction,
      person_id: personId,
    });
    if (!isPersonLeft) {
      const object = { type: 'face', id: personId } as const;
      await this.#activity.record(tx, { actor: scope, action: 'face.deleted', object });
    }
    return identityIds;
  }

  /** Whether cameras that this reader may not see saw them too. */
  isSeenElsewhere(scope: Scope, identityId: string): Promise<boolean> {
    return this.#store.isSeenElsewhere(scope, identityId);
  }

  /** Throws unknown_face_not_found, unknown_face_seen_elsewhere. */
  async #mustReach(scope: Scope, id: string): Promise<ListedStranger> {
    const row = await this.#store.find(scope, id);
    if (!row) throw new Problem('unknown_face_not_found');
    if (await this.isSeenElsewhere(scope, id)) throw new Problem('unknown_face_seen_elsewhere');
    return row;
  }

  /** Runs under the lock, so that the stranger, and the cameras that saw them, do not change meanwhile. */
  #change<R>(
    scope: Scope,
    id: string,
    work: (tx: Tx, row: ListedStranger) => Promise<R>,
  ): Promise<R> {
    return this.#db.transaction(async (tx) => {
      await this.#faces.strangers.lock(tx);
      return work(tx, await this.#mustReach(scope, id));
    });
  }

  async #record(tx: Tx, actor: Scope, action: Action, id: string, details: Details): Promise<void> {
    await this.#recordDecision(tx, actor, action, id, details);
  }

  #recordDecision(tx: Tx, actor: Scope, action: Action, id: string, details: Details) {
    const object = { type: 'unknown_face', id } as const;
    return this.#activity.recordDecision(tx, { actor, action, object, details });
  }
}

function asUnknownFace(scope: Scope, row: ListedStranger): UnknownFace {
  const mayOpen = mayOpenPerson(scope, row.person_added_by);
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    image: row.picture === 'shown' ? imageOf(row.visit_id) : null,
    picture_hidden: row.picture === 'hidden',
    camera: row.camera_id,
    camera_name: row.camera_name,
    timestamp: row.last_at.toISOString(),
    first_seen: row.first_at.toISOString(),
    confidence: null,
    quality: row.quality,
    face: mayOpen ? row.person_id : null,
    face_name: row.person_name,
    count: row.visits,
    correction: correctionOf(row),
  };
}

function correctionOf({
  correction_id: id,
  correction_kind: kind,
  corrected_at: at,
}: ListedStranger): UnknownFace['correction'] {
  return id && kind && at ? { id, kind, created_at: at.toISOString() } : null;
}
