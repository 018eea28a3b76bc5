/** Whether a user is not notified of something for now. Pure. */
import type { SnoozeRow } from './snooze-store.ts';

export interface Source {
  readonly camera_id: string | null;
  /** Null: no rule raised it. */
  readonly rule_id: string | null;
}

/** `userId` null: whether it is snoozed for everyone. */
export type IsSnoozed = (userId: string | null, source: Source) => boolean;

type Held = Pick<SnoozeRow, 'user_id' | 'camera_id' | 'rule_id'>;

export const snoozed =
  (snoozes: readonly Held[]): IsSnoozed =>
  (userId, { camera_id: cameraId, rule_id: ruleId }) =>
    snoozes.some(
      (one) =>
        (one.user_id === null || one.user_id === userId) &&
        ((one.camera_id !== null && one.camera_id === cameraId) ||
          (one.rule_id !== null && one.rule_id === ruleId)),
    );
