/**
 * Everything that is kept of one person, for that person: typed data, photos, consent, visits with their pictures and
 * alerts, as far as the caller may see them, and those of unknown people whom the caller confirmed to be them.
 * Vectors are left out: they serve other recognisers only.
 */
import type { Face } from '@nazar/contract/faces.ts';
import type { Consent, UnknownCompared } from '@nazar/contract/privacy.ts';
import type { Visit } from '@nazar/contract/visits.ts';
import type { Alerts } from '#alerts/alerts.ts';
import type { Faces } from '#faces/faces.ts';
import type { Scope } from '#http/scope.ts';
import type { TarFile } from '#http/tar.ts';
import { Problem } from '#lib/problem.ts';
import type { Visits } from '#visits/visits.ts';

export interface SubjectOptions {
  readonly faces: Pick<Faces, 'photos'>;
  readonly visits: Pick<Visits, 'visitsOf' | 'visitsOfUnknown' | 'picture'>;
  readonly alerts: Pick<Alerts, 'ofVisits'>;
}

/** What the file is of. */
export interface Subject {
  readonly face: Face;
  readonly consent: Consent;
  /** The search among unknown people, and which of them the caller confirmed as the person. Null: no search. */
  readonly unknown: UnknownCompared | null;
  readonly confirmed: readonly string[];
}

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/** Photos and pictures are opened one at a time, while they are sent. */
export async function* subjectFiles(
  { faces, visits, alerts }: SubjectOptions,
  scope: Scope,
  { face, consent, unknown, confirmed }: Subject,
): AsyncGenerator<TarFile> {
  const { image: _, images, ...person } = face;
  const listed = (await visits.visitsOf(scope, face.id)).map((visit) => listing(visit));
  const asUnknown = [];
  for (const id of confirmed) {
    const ofUnknown = await visits.visitsOfUnknown(scope, id);
    asUnknown.push(...ofUnknown.map((visit) => listing(visit)));
  }
  yield { name: 'person.json', bytes: json({ ...person, consent }) };
  yield { name: 'visits.json', bytes: json(listed) };
  yield { name: 'unknown-visits.json', bytes: json({ searched: unknown, visits: asUnknown }) };
  const theirs = [...listed, ...asUnknown].map(({ id }) => id);
  yield { name: 'alerts.json', bytes: json(await alerts.ofVisits.find(scope, theirs)) };
  for (const { id } of images) {
    const bytes = await faces.photos.read(scope, face.id, id, 'full');
    yield { name: `photos/${id}.jpg`, bytes };
  }
  for (const { id, picture } of [...listed, ...asUnknown]) {
    if (picture === null) continue;
    const bytes = await pictureOf(visits, scope, id);
    if (bytes) yield { name: picture, bytes };
  }
}

const listing = ({ face_image_url, person_id: _person, ...visit }: Visit) => ({
  ...visit,
  picture: face_image_url === null ? null : `visits/${visit.id}.jpg`,
});

/** Null: gone since it was listed. */
async function pictureOf(
  visits: Pick<Visits, 'picture'>,
  scope: Scope,
  id: string,
): Promise<Buffer | null> {
  try {
    return await visits.picture(scope, id);
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}
