/** What people may ask of whoever keeps their faces: erasure with a certificate, and what becomes of ended accounts. */
import { z } from 'zod/mini';
import { Day, Id, Timestamp, page, queryInteger, results, text } from './fields.ts';
import { FreshProof } from './proof.ts';
import { ofProof, ofProofFields } from './refusals.ts';
import { administrators, cameraAdministrators, everyone, route } from './route.ts';

/** Nothing of it tells who it was. */
export const Certificate = z.object({
  /** SHA-256 of the id under which the person or account was kept, in hexadecimal. */
  subject_digest: z.string(),
  images: z.int(),
  vectors: z.int(),
  /** Pictures and vectors of visits. */
  pictures: z.int(),
  /** Visits removed; those of a person who was erased alone stay as visits of nobody known. */
  visits: z.int(),
  /** How many people an account had added. */
  people: z.int(),
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
  /** By when it must be done (SES-041). */
  due_at: Timestamp,
  removed_at: z.nullable(Timestamp),
  cleaned_at: z.nullable(Timestamp),
  /** Null until it is done. */
  certificate: z.nullable(Certificate),
});
export type Erasure = z.infer<typeof Erasure>;

/** An account that ended: its people are erased unless somebody takes them over. */
export const EndedAccount = z.object({
  user_id: Id,
  ended_at: Timestamp,
  erase_after: Timestamp,
  /** How many people it added and nobody has taken over. */
  people: z.int(),
});
export type EndedAccount = z.infer<typeof EndedAccount>;

/** GDPR article 6; `not_recorded` is what everybody begins with. */
export const consentBases = [
  'not_recorded',
  'consent',
  'contract',
  'legal_obligation',
  'vital_interests',
  'public_task',
  'legitimate_interests',
] as const;

/** C-1001. Days are in UTC. */
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
  /** '' when nobody recorded it, or their account is gone. */
  recorded_by_name: z.string(),
  recorded_at: z.nullable(Timestamp),
  has_ended: z.boolean(),
  /** Whether this person may be recognised now, by this and the policy of the installation. */
  allows_recognition: z.boolean(),
});
export type Consent = z.infer<typeof Consent>;

/** What one run removed. */
export const RetentionReport = z.object({
  /** Whom nobody had seen for as long as the settings say; they are erased with a certificate each. */
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

export const privacyRoutes = {
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
    body: FreshProof,
    produces: 'application/x-tar',
    problems: [...ofProof, 'face_not_found'],
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
    body: FreshProof,
    reply: Erasure,
    status: 202,
    problems: [...ofProof, 'face_not_found', 'face_delete_forbidden'],
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
