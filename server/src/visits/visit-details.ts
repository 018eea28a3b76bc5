/** One visit as a reader is shown it: the unknown person if none is named, and what the reader may say about it. */
import type { DetailedVisit } from '@nazar/contract/visits.ts';
import { mayOpenPerson, type Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import type { Faces } from '#faces/faces.ts';
import { asVisit } from './answers.ts';
import type { VisitListStore } from './lists/visit-list-store.ts';
import type { ListedVisit } from './lists/listed-visit-store.ts';
import type { NotThisPerson } from './not-this-person.ts';
import type { Decisions } from './decisions.ts';
import { attributesOf } from './visit-attributes.ts';
import type { UnknownFaces } from './unknown-faces.ts';

export interface VisitDetailsOptions {
  readonly faces: Pick<Faces, 'keysOf'>;
  readonly faceLogs: VisitListStore;
  readonly unknown: UnknownFaces;
  readonly notThisPerson: NotThisPerson;
  readonly decisions: Decisions;
}

export class VisitDetails {
  readonly #options: VisitDetailsOptions;

  constructor(options: VisitDetailsOptions) {
    this.#options = options;
  }

  /** Throws sighting_not_found. */
  async read(scope: Scope, id: string): Promise<DetailedVisit> {
    const row = await this.#options.faceLogs.find(scope, id);
    if (!row) throw new Problem('sighting_not_found');
    return {
      ...asVisit(scope, row, await attributesOf(this.#options.faces, [row])),
      unknown: await this.#unknownOf(scope, row),
      may_correct: await this.#mayCorrect(scope, row),
      decisions: await this.#options.decisions.of(scope, row),
    };
  }

  async #unknownOf(scope: Scope, row: ListedVisit): Promise<DetailedVisit['unknown']> {
    if (row.person_id !== null) return null;
    const number = await this.#options.unknown.numberOf(scope, row.stranger_id);
    return number === null ? null : { id: row.stranger_id, number };
  }

  /** The same rules by which `NotThisPerson` refuses: what is not theirs, and what has no picture to rule out. */
  async #mayCorrect(scope: Scope, row: ListedVisit): Promise<boolean> {
    if (row.person_id === null) return this.#options.notThisPerson.mayTakeBack(scope, row);
    return row.picture !== 'none' && mayOpenPerson(scope, row.person_added_by);
  }
}
