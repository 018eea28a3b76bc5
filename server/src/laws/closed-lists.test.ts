/**
 * What the contract allows can be stored: a list that the database repeats (`check (column in (...))`) has the values
 * of the contract. A new state, cause or kind needs a migration, and this law leads there.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { languages, roles } from '@nazar/contract/accounts.ts';
import { notificationKinds } from '@nazar/contract/notifications.ts';
import { securityEventKinds } from '@nazar/contract/security-events.ts';
import { alertKinds, alertLevels, alertStatuses } from '@nazar/contract/alerts.ts';
import { historyParts } from '@nazar/contract/camera-history.ts';
import {
  cameraStatuses,
  cameraTypes,
  ingestStates,
  resolutions,
  rotations,
} from '@nazar/contract/cameras.ts';
import { exportStatuses } from '@nazar/contract/exports.ts';
import { houseModes } from '@nazar/contract/house-mode.ts';
import { mqttProtocols } from '@nazar/contract/mqtt.ts';
import { consentBases, erasureReasons } from '@nazar/contract/privacy.ts';
import { verificationStates } from '@nazar/contract/chain-verification.ts';
import { recordingQualities } from '@nazar/contract/recording-qualities.ts';
import { gapCauses, recordingTypes } from '@nazar/contract/recording-states.ts';
import { systemLogLevels } from '@nazar/contract/system-logs.ts';
import { correctionKinds, unknownStatuses } from '@nazar/contract/unknown-faces.ts';
import { warningKinds } from '@nazar/contract/warnings.ts';
import { pushContents } from '@nazar/contract/push.ts';
import {
  webhookContents,
  webhookDeliveryStates,
  webhookEvents,
  webhookFaults,
} from '@nazar/contract/webhooks.ts';
import { zoneKinds } from '@nazar/contract/zones.ts';
import { src } from '#testing/imports.ts';

const contract: Readonly<Record<string, readonly (string | number)[]>> = {
  'app_user.role': roles,
  'user_preference.language': languages,
  'identity.status': unknownStatuses,
  'correction.kind': correctionKinds,
  'camera.type': cameraTypes,
  'camera.status': cameraStatuses,
  'camera.resolution': resolutions,
  'camera.rotation': rotations,
  'camera_state.part': historyParts,
  'camera_state.state': ingestStates,
  'camera_zone.kind': zoneKinds,
  'recording_settings.quality': recordingQualities,
  'recording.type': recordingTypes,
  'recording_gap.cause': gapCauses,
  'recording_export.status': exportStatuses,
  'recording_motion.rotation': rotations,
  // A person whose basis is not recorded has no row.
  'consent.basis': consentBases.filter((basis) => basis !== 'not_recorded'),
  'erasure.reason': erasureReasons,
  'audit_verification.state': verificationStates,
  'security_warning.kind': warningKinds,
  'system_log.level': systemLogLevels,
  'system_log_level.level': systemLogLevels,
  'alert_rule.kind': alertKinds,
  'alert_rule.level': alertLevels,
  'house_mode.mode': houseModes,
  'alert.kind': alertKinds,
  'alert.level': alertLevels,
  'alert.status': alertStatuses,
  'notification.kind': notificationKinds,
  'notification.event': securityEventKinds,
  'push_settings.content': pushContents,
  'webhook.content': webhookContents,
  'webhook.least_level': alertLevels,
  'webhook_delivery.event': webhookEvents,
  'webhook_delivery.state': webhookDeliveryStates,
  'webhook_delivery.fault': webhookFaults,
  'mqtt_settings.protocol': mqttProtocols,
};

/** The contract has no list of these: the server alone knows them, or a schema names them in its place. */
const others: ReadonlySet<string> = new Set([
  'user_preference.theme',
  'user_preference.cameras_view',
  'user_preference.faces_view',
  'account_policy.registration',
  'account_security.session_timeout',
  'session_token.kind',
  'sign_on.step',
  'sign_on.purpose',
  'account_link.kind',
  'person.comparison',
  'face_image.doubt',
  'erasure.subject',
  'audit_entry.source',
  'feed_change.kind',
  'notification_delivery.channel',
  'notification_delivery.message',
  'notification_delivery.state',
  'push_message.message',
  'push_message.state',
]);

/** The values of each checked column, by `table.column`. */
function checkedLists(schema: string): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const table of schema.split(/^create table /m).slice(1)) {
    const name = /^\w+/.exec(table)?.[0];
    for (const [, column, values = ''] of table.matchAll(
      /^ {2}(\w+) [^\n]*?check \(\1 in \(([^)]*)\)\)/gm,
    )) {
      lists.set(`${name}.${column}`, values.split(/,\s*/).map(unquoted).toSorted());
    }
  }
  return lists;
}

const unquoted = (value: string): string => value.trim().replaceAll("'", '');

test('a list of the contract that the database repeats has the same values in both', () => {
  const lists = checkedLists(readFileSync(join(src, 'db/schema.sql'), 'utf8'));
  const stored = [...lists].filter(([column]) => !others.has(column));
  const expected = Object.entries(contract).map(([column, values]) => [
    column,
    values.map(String).toSorted(),
  ]);
  assert.deepEqual(Object.fromEntries(stored), Object.fromEntries(expected));
  assert.deepEqual(
    [...others].filter((column) => !lists.has(column)),
    [],
  );
});
