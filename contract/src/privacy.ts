/** What people may request of the operator who keeps their faces: erasure with a certificate, and ended accounts. */
import { z } from 'zod/mini';
import { Day, Id, Timestamp, page, queryInteger, results, text } from './fields.ts';
import { FreshProof } from './proof.ts';
import { ofProof, ofProofFields } from './refusals.ts';
import { administrators, cameraAdministrators, everyone, route } from './route.ts';

/** Unknown people who may have the face of a person, as an erasure or an export searched for them. */
export const UnknownCompared = z.object({
  /** How many unknown people, and single visits of others, the person was compared with; null: not to be known. */
  compared: z.nullable(z.int()),
  /**
   * How many of those that the account may see it could not be compared with, because another recognition model saw
   * them; null: certificates of before say nothing of them.
   */
  not_comparable: z.nullable(z.int()),
  /** Whether cameras were left out that the account may not see. */
  all_cameras: z.boolean(),
  /** How many were near enough for the network to name a person, or were offered as less alike. */
  found: z.int(),
  /** How many of these the user confirmed: they went with the person, or into the file. */
  taken: z.int(),
});
export type UnknownCompared = z.infer<typeof UnknownCompared>;

/** Nothing in it reveals who it was. */
export const Certificate = z.object({
  /** SHA-256 of the id under which the person or account was kept, in hexadecimal. */
  subject_digest: z.string(),
  images: z.int(),
  vectors: z.int(),
  /** Pictures and vectors of visits. */
  pictures: z.int(),
  /** Visits removed; those of a person who was erased alone stay as visits of an unknown person. */
  visits: z.int(),
  /** How many people an account had added. */
  people: z.int(),
  /** Null: no search was made; there was no user to confirm them, or no photo could be compared. */
  unknown: z.nullable(UnknownCompared),
  /** Entries of the activity log that clients made, whose words went. */
  notes: z.int(),
  /** What a search of the database's files finds no more; false: it could not be proven here. */
  tables_clean: z.boolean(),
  statistics_clean: z.boolean(),
  log_clean: z.boolean(),
});
export type Certificate = z.infer<typeof Certificate>;

export const erasureReasons = [
  'asked',
  'deleted',
  'account_ended',
  'retention',
  'replayed',
] as const;

export const Erasure = z.object({
  id: Id,
  subject: z.enum(['person', 'account']),
  reason: z.enum(erasureReasons),
  /** `removing`: rows and keys; `cleaning`: nothing is readable any more, the disk is being cleaned. */
  state: z.enum(['removing', 'cleaning', 'done']),
  requested_at: Timestamp,
  /** By when it must be done. */
  due_at: Timestamp,
  removed_at: z.nullable(Timestamp),
  cleaned_at: z.nullable(Timestamp),
  /** Pictures and visits that are gone from the rows so far; they go a thousand at a time. */
  removed: z.object({ pictures: z.int(), visits: z.int() }),
  /** Null until it is done. */
  certificate: z.nullable(Certificate),
});
export type Erasure = z.infer<typeof Erasure>;

/** An account that ended: its people are erased unless another user takes them over. */
export const EndedAccount = z.object({
  user_id: Id,
  ended_at: Timestamp,
  erase_after: Timestamp,
  /** How many people it added whom no other user has taken over. */
  people: z.int(),
});
export type EndedAccount = z.infer<typeof EndedAccount>;

/** GDPR article 6; every person begins with `not_recorded`. */
export const consentBases = [
  'not_recorded',
  'consent',
  'contract',
  'legal_obligation',
  'vital_interests',
  'public_task',
  'legitimate_interests',
] as const;

/** Days are in UTC. */
export const ConsentFields = z
  .object({
    basis: z.enum(consentBases),
    /** Null: today. */
    obtained_at: z.nullable(Day),
    /** From this day on they are not recognised; null: it does not end. */
    expires_at: z.nullable(Day),
    /** Where the paper is, in the keeper's own words. */
    document: z._default(text(300), ''),
  })
  .check(
    z.refine(
      ({ obtained_at, expires_at }) =>
        obtained_at === null || expires_at === null || expires_at > obtained_at,
      { path: ['expires_at'] },
    ),
  );
export type ConsentFields = z.infer<typeof ConsentFields>;

export const Consent = z.object({
  basis: z.enum(consentBases),
  obtained_at: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
  document: z.string(),
  recorded_by: z.nullable(Id),
  /** '' when no user recorded it, or their account is gone. */
  recorded_by_name: z.string(),
  recorded_at: z.nullable(Timestamp),
  has_ended: z.boolean(),
  /** Whether this person may be recognised now, by this and the policy of the installation. */
  allows_recognition: z.boolean(),
});
export type Consent = z.infer<typeof Consent>;

/** What one run removed. */
export const RetentionReport = z.object({
  /** People no camera has seen for as long as the settings say; they are erased with a certificate each. */
  people: z.int(),
  unknown_faces: z.int(),
  /** Months of visits that went as a whole, and beside them single visits and pictures. */
  months: z.int(),
  visits: z.int(),
  pictures: z.int(),
  /** Entries of the activity log that clients made, whose words went. */
  notes: z.int(),
});
export type RetentionReport = z.infer<typeof RetentionReport>;

const params = z.object({ id: Id });

/** A possible match among unknown people: one who was distinguished from others, or a single visit. */
export const UnknownMatch = z.object({
  id: Id,
  /** Null: a single visit. */
  number: z.nullable(z.int()),
  /** Visits at cameras that the caller may see. */
  visits: z.int(),
  first_at: Timestamp,
  last_at: Timestamp,
  cameras: z.array(z.string()),
  /** The best pictures. */
  pictures: z.array(z.string()),
  /** Privacy masks hide others from the caller. */
  pictures_hidden: z.boolean(),
  /** That it is the same face, 0 to 1. */
  probability: z.number(),
  /** Near enough to be named as the person, and nothing speaks against it. */
  is_same: z.boolean(),
  /** Others than administrators erase what only cameras saw that they added. */
  may_erase: z.boolean(),
});
export type UnknownMatch = z.infer<typeof UnknownMatch>;

export const UnknownMatches = z.object({
  /** The most alike first. */
  results: z.array(UnknownMatch),
  /** There are more that are less alike. */
  more: z.optional(z.literal(true)),
  compared: z.nullable(z.int()),
  /** Unknown people, and single visits of others, that another recognition model saw: they are not in `compared`. */
  not_comparable: z.int(),
  all_cameras: z.boolean(),
  /** False: no photo of the person can be compared, so that no search was made. */
  is_comparable: z.boolean(),
  /** Sent with what is confirmed: a list that has changed since is refused. */
  version: z.string(),
});
export type UnknownMatches = z.infer<typeof UnknownMatches>;

/** Unknown people that are listed, and that one call takes. */
export const maxUnknownMatches = 60;

/** Fresh proof, and which of the unknown people listed before are the person. Nothing is taken unless it is named. */
export const ConfirmedProof = z.extend(FreshProof, {
  unknown: z.optional(z.array(Id).check(z.maxLength(maxUnknownMatches))),
  /** The version of the list that was shown; needed to name any. */
  unknown_version: z.optional(text(64)),
});
export type ConfirmedProof = z.infer<typeof ConfirmedProof>;

export const privacyRoutes = {
  unknownMatches: route({
    method: 'GET',
    path: '/secure-api/privacy/people/:id/unknown/',
    summary:
      'Unknown people and visits that may have the face of a person, at cameras one may see.',
    callers: everyone,
    params,
    reply: UnknownMatches,
    problems: ['face_not_found'],
  }),
  consent: route({
    method: 'GET',
    path: '/secure-api/privacy/people/:id/consent/',
    summary: 'On what grounds a person is recognised.',
    callers: everyone,
    params,
    reply: Consent,
    problems: ['face_not_found'],
  }),
  recordConsent: route({
    method: 'PUT',
    path: '/secure-api/privacy/people/:id/consent/',
    summary: 'Records on what grounds a person is recognised; `not_recorded` takes it back.',
    callers: everyone,
    params,
    body: ConsentFields,
    reply: Consent,
    problems: ['face_not_found', 'face_update_forbidden'],
    fieldProblems: ['invalid_body'],
  }),
  export: route({
    method: 'POST',
    path: '/secure-api/privacy/people/:id/export/',
    summary: 'Everything kept of a person, as a tar of JSON and JPEG; takes fresh proof.',
    callers: everyone,
    params,
    body: ConfirmedProof,
    produces: 'application/x-tar',
    problems: [...ofProof, 'face_not_found', 'unknown_matches_changed'],
    fieldProblems: [...ofProofFields],
  }),
  removeOld: route({
    method: 'POST',
    path: '/secure-api/privacy/retention/run/',
    summary: 'Removes what is older than the settings allow, now; says that the clock is right.',
    callers: cameraAdministrators,
    reply: RetentionReport,
  }),
  erasures: route({
    method: 'GET',
    path: '/secure-api/privacy/erasures/',
    summary: 'Erasures, the newest first, with their certificates.',
    callers: administrators,
    query: z.object({ page: queryInteger(1, 1_000_000, 1), page_size: queryInteger(1, 100, 20) }),
    reply: page(Erasure),
  }),
  erase: route({
    method: 'POST',
    path: '/secure-api/privacy/people/:id/erase/',
    summary: 'Erases a person for good, from the disk too; takes fresh proof of whoever asks.',
    callers: everyone,
    params,
    body: ConfirmedProof,
    reply: Erasure,
    status: 202,
    problems: [
      ...ofProof,
      'face_not_found',
      'face_delete_forbidden',
      'unknown_matches_changed',
      'unknown_face_seen_elsewhere',
    ],
    fieldProblems: [...ofProofFields],
  }),
  endedAccounts: route({
    method: 'GET',
    path: '/secure-api/privacy/ended-accounts/',
    summary: 'Accounts that ended and whose people are about to be erased.',
    callers: administrators,
    reply: results(EndedAccount),
  }),
  handOver: route({
    method: 'POST',
    path: '/secure-api/privacy/accounts/:id/hand_over/',
    summary: 'Gives the people an account added to another one, before they are erased with it.',
    callers: cameraAdministrators,
    params,
    body: z.object({ to: Id }),
    reply: z.object({ people: z.int() }),
    problems: ['user_not_found'],
  }),
};
