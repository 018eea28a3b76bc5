/** What several routes refuse alike, for their `problems` and `fieldProblems`. */
import type { ProblemCode } from './problem.ts';

/** Fresh proof (proof.ts). */
export const ofProof = ['proof_required', 'passkey_refused'] as const satisfies ProblemCode[];
export const ofProofFields = ['password_wrong'] as const satisfies ProblemCode[];

/** A new password. */
export const ofPasswordFields = [
  'password_too_short',
  'password_too_short_privileged',
  'password_too_long',
  'password_common',
] as const satisfies ProblemCode[];

/** A session begins. */
export const ofSignIn = [
  'invalid_credentials',
  'address_not_allowed',
] as const satisfies ProblemCode[];

/** Photos of an account that is no administrator's. */
export const ofPhotoQuota = [
  'photos_too_many',
  'photo_storage_full',
] as const satisfies ProblemCode[];
/** A person with photos. */
export const ofPeopleQuota = ['people_too_many', ...ofPhotoQuota] as const satisfies ProblemCode[];

/** One more view of a camera that is live. */
export const ofLiveViews = [
  'camera_not_found',
  'camera_not_active',
  'camera_not_live',
  'camera_not_aligned',
  'too_many_live_streams',
] as const satisfies ProblemCode[];

/** The address of a camera. */
export const ofCameraAddress = [
  'camera_url_refused',
  'camera_url_special_characters',
  'camera_url_masked',
  'camera_network_refused',
] as const satisfies ProblemCode[];
