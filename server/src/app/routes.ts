/** Binds every route to its module, except those of live pictures (live-views.ts). */
import {
  activityEndpoints,
  savedSearchEndpoints,
  verificationEndpoints,
  warningEndpoints,
} from '#activity/routes.ts';
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
import { alertEndpoints, alertRuleEndpoints, houseModeEndpoints } from '#alerts/routes.ts';
import { mqttEndpoints } from '#mqtt/routes.ts';
import { pushEndpoints } from '#notifications/push/routes.ts';
import type { NotificationStreams } from '#notifications/notifications.ts';
import { notificationEndpoints, notificationStreamEndpoint } from '#notifications/routes.ts';
import { webhookEndpoints } from '#notifications/webhooks/routes.ts';
import { analyticsEndpoints } from '#analytics/routes.ts';
import { layoutEndpoints } from '#cameras/layouts/routes.ts';
import {
  accessEndpoints,
  cameraEndpoints,
  historyEndpoints,
  importEndpoints,
  zoneEndpoints,
} from '#cameras/routes.ts';
import { FaceReads } from '#faces/faces.ts';
import { faceEndpoints } from '#faces/routes.ts';
import type { Prove } from '#http/prove.ts';
import type { ScopeOf } from '#http/scope.ts';
import type { Api } from '#http/serve.ts';
import { deviceEndpoints } from '#media/server/onvif/routes.ts';
import { probingEndpoints } from '#media/server/probing/routes.ts';
import { privacyEndpoints } from '#privacy/routes.ts';
import { bookmarkEndpoints } from '#recordings/bookmarks/routes.ts';
import { exportEndpoints } from '#recordings/exports/routes.ts';
import { playbackEndpoints } from '#recordings/playback/routes.ts';
import { recordingEndpoints } from '#recordings/routes.ts';
import { settingsEndpoints } from '#settings/routes.ts';
import { countingEndpoints } from '#visits/counting/routes.ts';
import { visitEndpoints } from '#visits/routes.ts';
import {
  modelEndpoints,
  supportEndpoints,
  systemEndpoints,
  systemLogEndpoints,
} from '#system/routes.ts';
import { demoEndpoints } from './demo.ts';
import type { Modules } from './modules.ts';
import { readersOf } from './rights.ts';

export interface RoutesOptions {
  readonly modules: Modules;
  readonly scopeOf: ScopeOf;
  readonly version: string;
  readonly notificationStreams: NotificationStreams;
}

export function bindRoutes(api: Api, options: RoutesOptions): void {
  bindAccounts(api, options.modules);
  bindCameras(api, options);
  bindPeople(api, options.modules);
  const { modules, version } = options;
  demoEndpoints(api, modules.demo);
  const readers = readersOf(modules.accounts, modules.cameras);
  analyticsEndpoints(api, modules.analytics, modules.logKinds, readers);
  // Before alerts: `rules` and `mode` are no ids of alerts.
  alertRuleEndpoints(api, modules.alerts);
  houseModeEndpoints(api, modules.alerts);
  alertEndpoints(api, modules.alerts, (scope, asked) => readers.zoneOf(scope, asked));
  notificationEndpoints(api, modules.notifications);
  pushEndpoints(api, modules.notifications);
  notificationStreamEndpoint(api, options.notificationStreams);
  webhookEndpoints(api, modules.notifications, (scope, asked) => readers.zoneOf(scope, asked));
  mqttEndpoints(api, modules.mqtt);
  privacyEndpoints(api, modules.privacy);
  systemEndpoints(api, modules.system, version);
  systemLogEndpoints(api, modules.systemLog);
  modelEndpoints(api, modules.models);
  supportEndpoints(api, modules.support);
}

const proveBy =
  ({ accounts }: Modules): Prove =>
  (scope, proof, raw) =>
    accounts.proofs.prove(scope, proof, siteOfRequest(raw));

function bindAccounts(api: Api, modules: Modules): void {
  const { accounts, cameras, demo } = modules;
  accountEndpoints(api, accounts, demo.available);
  userEndpoints(api, accounts);
  administrationEndpoints(api, accounts, (scope, id) => cameras.hasMadeVisible(scope, id));
  signOnEndpoints(api, accounts);
  twoFactorEndpoints(api, accounts);
  passkeyEndpoints(api, accounts);
  proofEndpoints(api, accounts);
  recoveryEndpoints(api, accounts);
  securityEndpoints(api, accounts);
  activityEndpoints(api, modules.activityLog);
  savedSearchEndpoints(api, modules.activityLog);
  verificationEndpoints(api, modules.verification);
  warningEndpoints(api, modules.warnings);
  rightsEndpoints(api, accounts);
  settingsEndpoints(api, modules.settings, proveBy(modules));
}

function bindCameras(api: Api, { modules, scopeOf }: RoutesOptions): void {
  const { cameras, recordings } = modules;
  cameraEndpoints(api, cameras);
  accessEndpoints(api, cameras);
  layoutEndpoints(api, cameras.layouts);
  historyEndpoints(api, modules.history);
  importEndpoints(api, cameras);
  zoneEndpoints(api, cameras);
  probingEndpoints(api, modules.probing);
  deviceEndpoints(api, modules.devices);
  recordingEndpoints(api, recordings, proveBy(modules));
  playbackEndpoints(api, recordings, scopeOf);
  exportEndpoints(api, recordings.exports, scopeOf);
  bookmarkEndpoints(api, recordings.bookmarks);
}

function bindPeople(api: Api, { faces, activity, visits, accounts, cameras }: Modules): void {
  const reads = new FaceReads(faces, activity);
  faceEndpoints(api, faces, reads, (scope, id) => visits.seenFace(scope, id));
  const readers = readersOf(accounts, cameras);
  visitEndpoints(api, visits, reads, readers);
  countingEndpoints(api, visits, reads, readers);
}
