/** Whether the chain behind the activity log is as it was written: a run that an administrator starts, and its result. */
import { z } from 'zod/mini';
import { Id, Timestamp } from './fields.ts';
import { administrators, route } from './route.ts';

/**
 * What is wrong with the chain. `missing`: a number is not there; `duplicate`: one is there twice; `changed`: an entry or
 * its signature is not as it was sealed; `cut`: the end is gone, of which an anchor knows; `rewritten`: an anchor knows
 * the entry otherwise; `returned`: removed for its age, and there again; `checkpoint`: where the chain begins was not
 * signed by this installation; `anchor`: a line of the file of anchors was not.
 */
const recordFaults = [
  'missing',
  'duplicate',
  'changed',
  'cut',
  'rewritten',
  'returned',
  'checkpoint',
  'anchor',
] as const;

/** Where the chain ended at some moment, kept outside the database. */
const Anchor = z.object({ sequence: z.int(), at: Timestamp });

export const ChainFault = z.object({
  kind: z.enum(recordFaults),
  /** Number of the first entry that is wrong; null where it is a line of the file of anchors. */
  sequence: z.nullable(z.int()),
  /** What stands in the place of a missing number. */
  found: z.nullable(z.int()),
  id: z.nullable(z.string()),
  /** When the entry that stands there says that it was recorded. */
  recorded_at: z.nullable(Timestamp),
  /** Which one disagrees. */
  anchor: z.nullable(Anchor),
  line: z.nullable(z.int()),
});
export type ChainFault = z.infer<typeof ChainFault>;

const Place = z.object({ sequence: z.int(), recorded_at: Timestamp });

/** What a run found. The file to keep says the same. */
export const ChainResult = z.object({
  whole: z.boolean(),
  /** The first one, from which all later ones follow. */
  fault: z.nullable(ChainFault),
  /** Entries that are as they were written, from the first on. */
  entries: z.int(),
  first: z.nullable(Place),
  /** The last of them with its signature, hexadecimal: a copy of this proves later that nothing before it was replaced. */
  last: z.nullable(z.extend(Place, { signature: z.string() })),
  /** Entries before the first that were removed for their age, of which nothing can be said. */
  pruned: z.int(),
  /** `last`: up to there a cut at the end would have been found; after it, it would not. */
  anchors: z.object({ count: z.int(), last: z.nullable(Anchor) }),
  /** Recorded and not in the chain yet: of these nothing can be said. */
  unsealed: z.int(),
});
export type ChainResult = z.infer<typeof ChainResult>;

/** `interrupted`: the server ended meanwhile. `failed`: the chain could not be read. */
export const verificationStates = [
  'running',
  'done',
  'cancelled',
  'interrupted',
  'failed',
] as const;

export const ChainVerification = z.object({
  id: Id,
  state: z.enum(verificationStates),
  /** Null once the account is gone. */
  asked_by: z.nullable(z.object({ id: Id, name: z.string() })),
  began_at: Timestamp,
  ended_at: z.nullable(Timestamp),
  /** Entries that were checked. */
  done: z.int(),
  /** As many as there were in the beginning; entries that come meanwhile are checked, too. */
  total: z.int(),
  /** Null until it is done. */
  result: z.nullable(ChainResult),
});
export type ChainVerification = z.infer<typeof ChainVerification>;

export const VerificationState = z.object({
  /** The last that was asked for; null: none yet. */
  latest: z.nullable(ChainVerification),
  /** The last that came to its end, which may be the same. Its file can be saved. */
  done: z.nullable(ChainVerification),
});
export type VerificationState = z.infer<typeof VerificationState>;

const root = '/secure-api/activity-log/verification/';

export const verificationRoutes = {
  state: route({
    method: 'GET',
    path: root,
    summary: 'How far the verification of the chain is, and what the last one found.',
    callers: administrators,
    reply: VerificationState,
  }),
  start: route({
    method: 'POST',
    path: root,
    summary: 'Verifies the whole record in the background; one that is running is the answer.',
    callers: administrators,
    reply: ChainVerification,
    status: 202,
  }),
  cancel: route({
    method: 'POST',
    path: `${root}cancel/`,
    summary: 'Cancels the verification that is running, if there is one.',
    callers: administrators,
    reply: VerificationState,
  }),
  file: route({
    method: 'GET',
    path: `${root}:id/file/`,
    summary: 'What the last verification found, as a file that this installation signed.',
    callers: administrators,
    params: z.object({ id: Id }),
    produces: 'text/plain; charset=utf-8',
    problems: ['not_found'],
  }),
};
