/** What became of a camera over time, and why: every change of state of its streams and of its recording. */
import { z } from 'zod/mini';
import { ingestCauses, ingestStates, streamNames } from './cameras.ts';
import { Id, Timestamp, page, queryInteger } from './fields.ts';
import { everyone, route } from './route.ts';

/** The parts of a camera that have a history; `recording` is named only for what the disk does to it. */
export const historyParts = [...streamNames, 'recording'] as const;
export type HistoryPart = (typeof historyParts)[number];

const historyCauses = [...ingestCauses, 'disk'] as const;
export type HistoryCause = (typeof historyCauses)[number];

/** What to check first when something is wrong (blame.ts says which). */
export const blames = ['camera', 'network', 'password', 'disk', 'restart'] as const;

export type Blame = (typeof blames)[number];

export const HistoryEntry = z.object({
  id: Id,
  part: z.enum(historyParts),
  state: z.enum(ingestStates),
  cause: z.enum(historyCauses),
  blame: z.nullable(z.enum(blames)),
  started_at: Timestamp,
  /** Null: it goes on. */
  ended_at: z.nullable(Timestamp),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const HistoryQuery = z.object({
  page: queryInteger(1, 1_000_000, 1),
  page_size: queryInteger(1, 1000, 50),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

export const cameraHistoryRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/history/',
    summary:
      'What became of a camera and why, newest first: each state of its streams and trouble with the disk.',
    callers: everyone,
    keyScope: 'cameras:read',
    shownAs: true,
    params: z.object({ id: Id }),
    query: HistoryQuery,
    reply: page(HistoryEntry),
    problems: ['camera_not_found'],
  }),
};
