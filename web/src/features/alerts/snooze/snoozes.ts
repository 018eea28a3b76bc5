/** What is snoozed for the reader, and how it is changed. */
import type { Alert } from '@nazar/contract/alerts.ts';
import { snoozeRoutes, type Snooze, type SnoozeFields } from '@nazar/contract/snoozes.ts';
import { call } from '#api/call.ts';
import { ask, useChange, useRemoval } from '#api/query.ts';
import { REFRESH_MS } from '../queries.ts';

/** News of it come with no event: an administrator may have snoozed something for everyone. */
export const snoozesQuery = () => ({
  ...ask('alerts', snoozeRoutes.list, {}),
  refetchInterval: REFRESH_MS,
});

export const useSnooze = () =>
  useChange('alerts', (fields: SnoozeFields) => call(snoozeRoutes.add, { body: fields }));
export const useEndSnooze = () =>
  useRemoval(
    'alerts',
    (id: string) => id,
    (id: string) => call(snoozeRoutes.remove, { params: { id } }),
  );

/** The camera and the rule of an alert may be gone. */
export const canBeSnoozed = ({ camera, rule }: Pick<Alert, 'camera' | 'rule'>): boolean =>
  camera !== null || rule !== null;

/** Whether the reader is not to hear of the alert now. */
export const isSnoozed = (
  { camera, rule }: Pick<Alert, 'camera' | 'rule'>,
  snoozes: readonly Snooze[],
): boolean =>
  snoozes.some(
    (one) =>
      Date.parse(one.until) > Date.now() &&
      ((one.camera !== null && one.camera === camera) || (one.rule !== null && one.rule === rule)),
  );
