/** Every route of the product, for code that must walk them all: the server's start, OpenAPI, generated tests. */
import { accessRoutes, cameraGroupRoutes } from './access.ts';
import { accountRoutes } from './accounts.ts';
import { activityRoutes } from './activity.ts';
import { alertRuleRoutes } from './alert-rules.ts';
import { alertRoutes } from './alerts.ts';
import { alignmentRoutes } from './alignment.ts';
import { analyticsRoutes } from './analytics.ts';
import { bookmarkRoutes } from './bookmarks.ts';
import { cameraCostRoutes } from './camera-cost.ts';
import { cameraHistoryRoutes } from './camera-history.ts';
import { cameraImportRoutes } from './camera-import.ts';
import { cameraRoutes } from './cameras.ts';
import { deviceRoutes } from './devices.ts';
import { movementRoutes } from './movements.ts';
import { mqttRoutes } from './mqtt.ts';
import { faceDetectorRoutes } from './face-detector.ts';
import { visitCountRoutes } from './visit-counts.ts';
import { visitDeletionRoutes } from './visit-deletion.ts';
import { faceRoutes } from './faces.ts';
import { houseModeRoutes } from './house-mode.ts';
import { liveViewRoutes } from './live-views.ts';
import { modelRoutes } from './models.ts';
import { notificationRoutes, notificationSettingsRoutes } from './notifications.ts';
import { ownAccountRoutes } from './own-account.ts';
import { ownSecurityRoutes } from './own-security.ts';
import { savedSearchRoutes } from './saved-searches.ts';
import { seeAsRoutes } from './see-as.ts';
import { passkeyRoutes } from './passkeys.ts';
import { exportRoutes } from './exports.ts';
import { playbackRoutes } from './playback.ts';
import { probingRoutes } from './probing.ts';
import { proofRoutes } from './proof.ts';
import { privacyRoutes } from './privacy.ts';
import { securityEventRoutes } from './security-events.ts';
import { settingsRoutes } from './settings.ts';
import { recognitionRoutes } from './recognition.ts';
import { recordingRoutes } from './recordings.ts';
import { verificationRoutes } from './chain-verification.ts';
import { recoveryRoutes } from './recovery.ts';
import { setupRoutes } from './setup.ts';
import { signOnRoutes } from './sign-on.ts';
import { snoozeRoutes } from './snoozes.ts';
import { visitRoutes } from './visits.ts';
import { systemLogRoutes } from './system-logs.ts';
import { systemRoutes } from './system.ts';
import { twoFactorRoutes } from './two-factor.ts';
import { unknownFaceRoutes } from './unknown-faces.ts';
import { userGroupRoutes } from './user-groups.ts';
import { wallLayoutRoutes } from './wall-layouts.ts';
import { pushRoutes, pushSettingsRoutes } from './push.ts';
import { webhookDeliveryRoutes, webhookRoutes } from './webhooks.ts';
import { warningRoutes } from './warnings.ts';
import { userRoutes } from './users.ts';
import { zoneRoutes } from './zones.ts';

export const api = {
  setup: setupRoutes,
  accounts: accountRoutes,
  twoFactor: twoFactorRoutes,
  passkeys: passkeyRoutes,
  proof: proofRoutes,
  ownAccount: ownAccountRoutes,
  ownSecurity: ownSecurityRoutes,
  recovery: recoveryRoutes,
  securityEvents: securityEventRoutes,
  signOn: signOnRoutes,
  users: userRoutes,
  seeAs: seeAsRoutes,
  activity: activityRoutes,
  recordVerification: verificationRoutes,
  savedSearches: savedSearchRoutes,
  warnings: warningRoutes,
  userGroups: userGroupRoutes,
  settings: settingsRoutes,
  cameras: cameraRoutes,
  cameraHistory: cameraHistoryRoutes,
  cameraCost: cameraCostRoutes,
  cameraImport: cameraImportRoutes,
  probing: probingRoutes,
  zones: zoneRoutes,
  alignment: alignmentRoutes,
  devices: deviceRoutes,
  movements: movementRoutes,
  liveViews: liveViewRoutes,
  access: accessRoutes,
  cameraGroups: cameraGroupRoutes,
  wallLayouts: wallLayoutRoutes,
  faces: faceRoutes,
  recognition: recognitionRoutes,
  faceDetector: faceDetectorRoutes,
  recordings: recordingRoutes,
  playback: playbackRoutes,
  exports: exportRoutes,
  bookmarks: bookmarkRoutes,
  // The name by which the description of the API knows them.
  sightings: visitRoutes,
  faceLogCounts: visitCountRoutes,
  faceLogDeletion: visitDeletionRoutes,
  unknownFaces: unknownFaceRoutes,
  analytics: analyticsRoutes,
  privacy: privacyRoutes,
  models: modelRoutes,
  system: systemRoutes,
  systemLogs: systemLogRoutes,
  alerts: alertRoutes,
  alertRules: alertRuleRoutes,
  houseMode: houseModeRoutes,
  notifications: notificationRoutes,
  notificationSettings: notificationSettingsRoutes,
  snoozes: snoozeRoutes,
  push: pushRoutes,
  pushSettings: pushSettingsRoutes,
  webhookDeliveries: webhookDeliveryRoutes,
  webhooks: webhookRoutes,
  mqtt: mqttRoutes,
};
