/** Whether an answer is what it should be, and the one count that is made here. Pure. */
import type { CameraStats, SeenPeople, SeenPerson } from '@nazar/contract/face-log-counts.ts';
import type { FaceLog } from '@nazar/contract/visits.ts';

/** Treated as any other failure. */
const wrong = (): Error => new Error('Invalid API response format');

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function shaped<T>(
  reply: unknown,
  isRight: (reply: { readonly [K in keyof T]?: unknown }) => boolean,
): T {
  if (!isObject(reply) || !isRight(reply)) throw wrong();
  return reply as T;
}

/** `results` or a plain list. */
export function listOf<T>(reply: unknown): T[] {
  const list = isObject(reply) ? reply['results'] : reply;
  if (!Array.isArray(list) || !list.every(isObject)) throw wrong();
  return list as T[];
}

export interface PageOf<T> {
  readonly count: number;
  readonly more: boolean;
  readonly results: readonly T[];
}

export function pageOf<T>(reply: unknown): PageOf<T> {
  const results = listOf<T>(reply);
  const { count, more } = isObject(reply) ? reply : {};
  return {
    count: typeof count === 'number' ? count : results.length,
    more: more === true,
    results,
  };
}

export function seenPeopleOf(reply: unknown): SeenPeople {
  const page = pageOf<SeenPerson>(reply);
  const { most } = isObject(reply) ? reply : {};
  if (!page.results.every(({ key, name }) => typeof key === 'string' && typeof name === 'string'))
    throw wrong();
  return { ...page, results: [...page.results], most: typeof most === 'number' ? most : 0 };
}

type Told = Omit<FaceLog, 'is_recognized'> & { readonly is_recognized?: boolean };

/** The server says who is recognized; only where an answer leaves that out the name decides. */
const isKnown = ({ is_recognized, person_name }: Told): boolean =>
  is_recognized ?? !/anon|unknown/i.test(person_name);

const withRecognition = (visit: Told): FaceLog => ({ ...visit, is_recognized: isKnown(visit) });

export const visitsOf = (reply: unknown): FaceLog[] => listOf<Told>(reply).map(withRecognition);

export function visitPageOf(reply: unknown): PageOf<FaceLog> {
  const page = pageOf<Told>(reply);
  return { ...page, results: page.results.map(withRecognition) };
}

/** Counts visits by camera, one by one; the busiest camera first. */
export function cameraStatsOf(visits: readonly FaceLog[]): CameraStats[] {
  const cameras = new Map<string, CameraStats>();
  for (const { camera_id, camera_name, is_recognized } of visits) {
    const before = cameras.get(camera_id);
    const known = (before?.recognized_count ?? 0) + (is_recognized ? 1 : 0);
    const all = (before?.total_detections ?? 0) + 1;
    cameras.set(camera_id, {
      camera_id,
      camera_name,
      total_detections: all,
      recognized_count: known,
      unrecognized_count: all - known,
    });
  }
  return [...cameras.values()].sort((a, b) => b.total_detections - a.total_detections);
}
