/** What screens ask that a test only passes through: of an installation where nothing is yet. */
import { alertRoutes } from '@nazar/contract/alerts.ts';
import { cameraGroupRoutes } from '@nazar/contract/access.ts';
import { bookmarkRoutes } from '@nazar/contract/bookmarks.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { faceDetectorRoutes } from '@nazar/contract/face-detector.ts';
import { notificationRoutes } from '@nazar/contract/notifications.ts';
import { modelRoutes, type ModelsReply } from '@nazar/contract/models.ts';
import { houseModeRoutes } from '@nazar/contract/house-mode.ts';
import { ownAccountRoutes } from '@nazar/contract/own-account.ts';
import { ownSecurityRoutes, type MySecurity } from '@nazar/contract/own-security.ts';
import { passkeyRoutes } from '@nazar/contract/passkeys.ts';
import { privacyRoutes, type UnknownMatches } from '@nazar/contract/privacy.ts';
import { proofRoutes, type ProofWays } from '@nazar/contract/proof.ts';
import { pushRoutes } from '@nazar/contract/push.ts';
import { recognitionRoutes, type CheckedPhoto } from '@nazar/contract/recognition.ts';
import { securityEventRoutes } from '@nazar/contract/security-events.ts';
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { systemLogRoutes } from '@nazar/contract/system-logs.ts';
import { systemRoutes, type SystemHealth } from '@nazar/contract/system.ts';
import { twoFactorRoutes, type TwoFactorState } from '@nazar/contract/two-factor.ts';
import type { AnyRoute, Reply } from '#api/call.ts';

export const aSecurity = (over: Partial<MySecurity> = {}): MySecurity => ({
  session_timeout: 30,
  allowed_ips: 'All',
  api_access: false,
  effective: { session_timeout_minutes: 30, api_access: false },
  policy: { session_timeout_minutes: 30, api_access: false },
  ip: '192.0.2.7',
  session_ends_in_s: 1800,
  ...over,
});

/** The ways of a user with a password and nothing else. */
export const someWays = (over: Partial<ProofWays> = {}): ProofWays => ({
  password: true,
  passkey: false,
  sign_on: null,
  signed_on_until: null,
  ...over,
});

export const noSecondFactor: TwoFactorState = {
  is_on: false,
  totp: false,
  passkeys: 0,
  recovery_codes_left: 0,
  is_demanded: false,
};

const well = { status: 'operational', detail: null } as const;
export const allIsWell: SystemHealth = {
  face_recognition: well,
  camera_system: well,
  database: well,
  api_services: well,
  audit_record: well,
  storage_fit: null,
  checked_at: '2026-03-04T05:06:07.000Z',
};

/** The shipped ones, and no others. */
export const someModels = (over: Partial<ModelsReply> = {}): ModelsReply => ({
  installed: [{ id: 'blazeface-dlib', version: '1', license: 'See THIRD_PARTY_NOTICES.md' }],
  unavailable: [],
  awaited: null,
  serving: { id: 'blazeface-dlib', version: '1', is_installed: true, is_loaded: true },
  previous: null,
  change: null,
  ...over,
});

/** One face, which serves. */
export const aCheckedPhoto = (over: Partial<CheckedPhoto> = {}): CheckedPhoto => ({
  width: 640,
  height: 480,
  turned: 0,
  faces: [
    {
      x: 0.3,
      y: 0.2,
      width: 0.4,
      height: 0.5,
      score: 0.9,
      quality: 0.84,
      fault: null,
      chosen: true,
    },
  ],
  preview: null,
  fault: null,
  duplicate_of: null,
  similar: [],
  ...over,
});

/** No unknown person has the person's face. */
export const noUnknownMatches: UnknownMatches = {
  results: [],
  compared: 0,
  not_comparable: 0,
  all_cameras: true,
  is_comparable: true,
  version: 'none',
};

const one = <const R extends AnyRoute>(route: R, reply: Reply<R>): [AnyRoute, unknown] => [
  route,
  reply,
];

const noAlerts = {
  new: 0,
  in_progress: 0,
  by_level: { info: 0, warning: 0, error: 0, critical: 0 },
};

export const usualReplies: readonly (readonly [AnyRoute, unknown])[] = [
  one(ownSecurityRoutes.security, aSecurity()),
  one(proofRoutes.ways, someWays()),
  one(ownAccountRoutes.sessions, { results: [] }),
  one(passkeyRoutes.list, { results: [] }),
  one(twoFactorRoutes.state, noSecondFactor),
  one(securityEventRoutes.list, { results: [] }),
  one(privacyRoutes.unknownMatches, noUnknownMatches),
  one(recognitionRoutes.check, aCheckedPhoto()),
  one(alertRoutes.list, { count: 0, results: [] }),
  one(alertRoutes.counts, noAlerts),
  one(houseModeRoutes.read, { mode: 'home', since: null }),
  one(notificationRoutes.unreadCount, { unread_count: 0 }),
  one(notificationRoutes.list, { count: 0, results: [] }),
  one(pushRoutes.read, { public_key: null, content: 'event', devices: [] }),
  one(cameraRoutes.list, { count: 0, results: [] }),
  one(cameraRoutes.owners, { results: [] }),
  one(cameraGroupRoutes.list, { results: [] }),
  one(faceDetectorRoutes.status, { results: [] }),
  one(bookmarkRoutes.list, { count: 0, results: [] }),
  one(recordingRoutes.holds, { count: 0, results: [] }),
  one(visitRoutes.detections, { results: [] }),
  one(systemRoutes.health, allIsWell),
  one(systemLogRoutes.reportBrowserError, { id: '01930f5e-0000-7000-8000-000000000042' }),
  one(modelRoutes.read, someModels()),
];
