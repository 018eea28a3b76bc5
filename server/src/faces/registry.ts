/**
 * People as other programs enrol them: one photo and a name, nothing else. An unusable photo is refused here, because
 * no user will check a list to find out; and a name must match exactly one person, or nothing is done.
 */
import type { Face, FaceFields } from '@nazar/contract/faces.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import type { PeopleByName } from './people.ts';
import type { SentPhoto } from './photos/enrolment.ts';

export interface Registered {
  readonly first_name: string;
  /** '' for a person with only one name. */
  readonly last_name: string;
  /** Absent: the visitors'. */
  readonly category?: string | undefined;
}

export class Registry {
  readonly #people: PeopleByName;

  constructor(people: PeopleByName) {
    this.#people = people;
  }

  /** Throws image_required, image_unusable, face_index_unknown, category_not_found and the refusals of photos. */
  async register(
    scope: Scope,
    { first_name, last_name, category }: Registered,
    photo: SentPhoto | undefined,
    field: string,
  ): Promise<Face> {
    if (!photo) throw new Problem('image_required', { field });
    const fields: FaceFields = {
      first_name,
      last_name,
      category: category ?? (await this.#people.categories.ofVisitors()),
      description: '',
      email: '',
      phone: '',
      position: '',
      notes: '',
      is_active: true,
    };
    return this.#people.add(scope, fields, [photo], null, { mustServe: field });
  }

  /** The last word is the family name. */
  registerNamed(scope: Scope, name: string, photo: SentPhoto | undefined): Promise<Face> {
    const words = name.split(/\s+/);
    const last_name = words.length > 1 ? words.pop()! : '';
    return this.register(scope, { first_name: words.join(' '), last_name }, photo, 'face_image');
  }

  /** The names of all people the scope may open, in order. */
  names(scope: Scope): Promise<string[]> {
    return this.#people.names(scope);
  }

  /** Throws face_not_found, face_name_ambiguous. */
  async deleteNamed(scope: Scope, name: string): Promise<void> {
    const [id, ...others] = await this.#people.named(scope, name);
    if (id === undefined) throw new Problem('face_not_found');
    if (others.length > 0) throw new Problem('face_name_ambiguous', { people: others.length + 1 });
    await this.#people.remove(scope, id);
  }
}
