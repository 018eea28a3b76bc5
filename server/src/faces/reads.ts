/**
 * Reads of people that are recorded before they are answered: who viewed whom, and who searched for a person.
 * The search text is never recorded: it is a name, and the hash chain cannot forget.
 */
import type { Face, FaceQuery, MatchExplanation } from '@nazar/contract/faces.ts';
import type { Activity } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import type { PeopleReader } from './people.ts';

export class FaceReads {
  readonly #faces: Pick<PeopleReader, 'read' | 'list'>;
  readonly #activity: Activity;

  constructor(faces: Pick<PeopleReader, 'read' | 'list'>, activity: Activity) {
    this.#faces = faces;
    this.#activity = activity;
  }

  /** Throws face_not_found. */
  async view(scope: Scope, id: string): Promise<Face> {
    const face = await this.#faces.read(scope, id);
    const object = { type: 'face', id } as const;
    await this.#activity.recordRead({ actor: scope, action: 'face.viewed', object });
    return face;
  }

  async list(scope: Scope, query: FaceQuery): Promise<{ count: number; results: Face[] }> {
    if (query.search) await this.searched(scope, 'faces', query.search);
    return this.#faces.list(scope, query);
  }

  /** Records which people an explanation showed to whom, with the photos that were compared. */
  async explained(scope: Scope, { nearest }: MatchExplanation): Promise<void> {
    for (const { person_id } of nearest) {
      if (person_id === null) continue;
      const object = { type: 'face', id: person_id } as const;
      await this.#activity.recordRead({ actor: scope, action: 'face.viewed', object });
    }
  }

  /** Records a search for a person elsewhere; each new term is a search. */
  async searched(scope: Scope, where: 'faces' | 'face_logs', term: string): Promise<void> {
    const details = { where };
    const entry = { actor: scope, action: 'face.searched', object: null, details } as const;
    await this.#activity.recordRead(entry, { about: `${where} ${term}` });
  }
}
