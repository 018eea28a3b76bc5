/** Which module answers which calls: every route but those that show live pictures (live-views.ts). */
import { activityEndpoints, warningEndpoints } from '#activity/routes.ts';
import { administrationEndpoints } from '#accounts/administration/routes.ts';
import { passkeyEndpoints } from '#accounts/passkeys/routes.ts';
import { proofEndpoints } from '#accounts/proof/routes.ts';
import { recoveryEndpoints } from '#accounts/recovery/routes.ts';
import {
  accountEndpoints,
  rightsEndpoints,
  siteOfRequest,
  userEndpoints,
} from '#accounts/routes.ts';
import { twoFactorEndpoints } from '#accounts/second-factor/routes.ts';
import { securityEndpoints } from '#accounts/security/routes.ts';
import { signOnEndpoints } from '#accounts/sign-on/routes.ts';
import { analyticsEndpoints } from '#analytics/routes.ts';
import {
  accessEndpoints,
  cameraEndpoints,
  historyEndpoints,
  zoneEndpoints,
} from '#cameras/routes.ts';
import { FaceReads } from '#faces/faces.ts';
import { faceEndpoints } from '#faces/routes.ts';
import type { Prove } from '#http/prove.ts';
import type { ScopeOf } from '#http/scope.ts';
import type { Doors } from '#http/serve.ts';
import { deviceEndpoints } from '#media/onvif/routes.ts';
import { probingEndpoints } from '#media/probing/routes.ts';
import { privacyEndpoints } from '#privacy/routes.ts';
import { exportEndpoints } from '#recordings/exports/routes.ts';
import { playbackEndpoints } from '#recordings/playback/routes.ts';
import { recordingEndpoints } from '#recordings/routes.ts';
import { settingsEndpoints } from '#settings/routes.ts';
import { sightingEndpoints } from '#sightings/routes.ts';
import { modelEndpoints, systemEndpoints } from '#system/routes.ts';
import { demoEndpoints } from './demo.ts';
import type { Modules } from './modules.ts';

export interface RoutesOptions {
  readonly modules: Modules;
  readonly scopeOf: ScopeOf;
  readonly version: string;
}

export function bindRoutes(doors: Doors, options: RoutesOptions): void {
  bindAccounts(doors, options.modules);
  bindCameras(doors, options);
  bindPeople(doors, options.modules);
  const { modules, version } = options;
  demoEndpoints(doors, modules.demo);
  analyticsEndpoints(doors, modules.analytics);
  privacyEndpoints(doors, modules.privacy);
  systemEndpoints(doors, modules.system, version);
  modelEndpoints(doors, modules.models);
}

const proveBy =
  ({ accounts }: Modules): Prove =>
  (scope, proof, raw) =>
    accounts.proofs.prove(scope, proof, siteOfRequest(raw));

function bindAccounts(doors: Doors, modules: Modules): void {
  const { accounts, cameras, demo } = modules;
  accountEndpoints(doors, accounts, demo.available);
  userEndpoints(doors, accounts);
  administrationEndpoints(doors, accounts, (scope, id) => cameras.hasMadeVisible(scope, id));
  signOnEndpoints(doors, accounts);
  twoFactorEndpoints(doors, accounts);
  passkeyEndpoints(doors, accounts);
  proofEndpoints(doors, accounts);
  recoveryEndpoints(doors, accounts);
  securityEndpoints(doors, accounts);
  activityEndpoints(doors, modules.activityLog);
  warningEndpoints(doors, modules.warnings);
  rightsEndpoints(doors, accounts);
  settingsEndpoints(doors, modules.settings, proveBy(modules));
}

function bindCameras(doors: Doors, { modules, scopeOf }: RoutesOptions): void {
  const { cameras, recordings } = modules;
  cameraEndpoints(doors, cameras);
  accessEndpoints(doors, cameras);
  historyEndpoints(doors, modules.history);
  zoneEndpoints(doors, cameras);
  probingEndpoints(doors, modules.probing);
  deviceEndpoints(doors, modules.devices);
  recordingEndpoints(doors, recordings, proveBy(modules));
  playbackEndpoints(doors, recordings, scopeOf);
  exportEndpoints(doors, recordings.exports, scopeOf);
}

function bindPeople(doors: Doors, { faces, activity, sightings }: Modules): void {
  const reads = new FaceReads(faces, activity);
  faceEndpoints(doors, faces, reads, (scope, id) => sightings.seenFace(scope, id));
  sightingEndpoints(doors, sightings, reads);
}
