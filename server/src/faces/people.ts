/** The people interface for the parts of faces and for enrolment by name; `faces.ts` implements it. Types only. */
import type { Face, FaceFields, FaceQuery, MatchExplanation } from '@nazar/contract/faces.ts';
import type { Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Probe } from './explanation.ts';
import type { SeenFace } from './newcomer.ts';
import type { SentPhoto } from './photos/enrolment.ts';

export interface PeopleReader {
  /** Throws face_not_found. */
  read(scope: Scope, id: string): Promise<Face>;
  list(scope: Scope, query: FaceQuery): Promise<{ count: number; results: Face[] }>;
  /** Whom a vector is near to, among the people that the reader may open. */
  explain(scope: Scope, probe: Probe): Promise<MatchExplanation>;
}

export interface PhotoOwners extends Pick<PeopleReader, 'read'> {
  /** Throws face_not_found, or the refusal. */
  mustOwn(
    scope: Scope,
    id: string,
    refusal: 'face_update_forbidden' | 'face_delete_forbidden',
  ): Promise<void>;
  /** Every node asks anew who this person is, when `tx` commits. */
  announce(tx: Tx, personId: string): Promise<void>;
  /** Who this person is to recognition on this node, at once; photos that may not show them are set aside. */
  reloadPerson(personId: string): Promise<void>;
  /** Warns administrators when one of their people resembles this one. */
  warnOfMatches(personId: string, addedBy: string): void;
}

export interface PeopleByName {
  readonly categories: { ofVisitors(): Promise<string> };
  /** Throws category_not_found, image_required, image_unusable and the refusals of photos and quotas. */
  add(
    scope: Scope,
    fields: FaceFields,
    files: readonly SentPhoto[],
    seen: SeenFace | null,
    more?: { readonly mustServe?: string },
  ): Promise<Face>;
  /** Names of all people whom the caller may open, in order. */
  names(scope: Scope): Promise<string[]>;
  /** Ids of the people whom the caller may open and who have exactly this name. */
  named(scope: Scope, name: string): Promise<string[]>;
  /** Throws face_not_found, face_delete_forbidden. */
  remove(scope: Scope, id: string): Promise<void>;
}
