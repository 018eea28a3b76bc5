/** Answers of the panels, parsed by the contract, and the one count that is made here. Pure. */
import {
  CameraDetails,
  SeenPerson,
  type CameraStats,
  type SeenPeople,
} from '@nazar/contract/visit-counts.ts';
import { Visit } from '@nazar/contract/visits.ts';
import { z } from 'zod/mini';

/** What a schema makes of an answer; any other shape is treated as any other failure. */
export function parsed<T>(schema: z.ZodMiniType<T>, reply: unknown): T {
  const { success, data, error } = schema.safeParse(reply);
  if (!success) throw new Error('Invalid API response format', { cause: error });
  return data;
}

/** How many there are is left out of plain lists, and of some lists in `results`. */
const Listed = z.object({
  results: z.array(z.unknown()),
  count: z.optional(z.int()),
  more: z.optional(z.boolean()),
  most: z.optional(z.int()),
});

/** `results` or a plain list. */
const listed = (reply: unknown) =>
  parsed(Listed, Array.isArray(reply) ? { results: reply } : reply);

export const listOf = <T>(row: z.ZodMiniType<T>, reply: unknown): T[] =>
  parsed(z.array(row), listed(reply).results);

export interface PageOf<T> {
  readonly count: number;
  readonly more: boolean;
  readonly results: T[];
}

export function pageOf<T>(row: z.ZodMiniType<T>, reply: unknown): PageOf<T> {
  const { count, more = false } = listed(reply);
  const results = listOf(row, reply);
  return { count: count ?? results.length, more, results };
}

export function seenPeopleOf(reply: unknown): SeenPeople {
  const { most = 0 } = listed(reply);
  const { count, results } = pageOf(SeenPerson, reply);
  return { count, most, results };
}

const SentVisit = z.extend(Visit, { is_recognized: z.optional(z.boolean()) });
type SentVisit = z.infer<typeof SentVisit>;

/** The server says who is recognized; only where an answer leaves that out the name decides. */
const isKnown = ({ is_recognized, person_name }: SentVisit): boolean =>
  is_recognized ?? !/anon|unknown/i.test(person_name);

const ReadVisit = z.pipe(
  SentVisit,
  z.transform((visit: SentVisit): Visit => ({ ...visit, is_recognized: isKnown(visit) })),
);

export const visitsOf = (reply: unknown): Visit[] => listOf(ReadVisit, reply);
export const visitPageOf = (reply: unknown): PageOf<Visit> => pageOf(ReadVisit, reply);

const Details = z.extend(CameraDetails, { recent_logs: z.array(ReadVisit) });
export const cameraDetailsOf = (reply: unknown): CameraDetails => parsed(Details, reply);

/** Counts visits by camera, one by one; the busiest camera first. */
export function cameraStatsOf(visits: readonly Visit[]): CameraStats[] {
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
