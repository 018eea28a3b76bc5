/** How this page calls kinds, types and fields. */
import type { ActivityEntry, ActivityKind } from '@nazar/contract/activity.ts';
import { useTranslation } from '#lib/i18n.ts';

/** What is offered before entries are read; entries add their own. */
export const usualTypes = [
  'user',
  'camera',
  'face',
  'alert',
  'notification',
  'recording',
  'system',
] as const;

const knownTypes = [
  ...usualTypes,
  'warning',
  'user_group',
  'camera_group',
  'wall_layout',
  'face_category',
  'unknown_face',
  'erasure',
] as const;

export function useWords() {
  const { t } = useTranslation();
  return {
    action: (kind: ActivityKind): string => t(`activityLog.actions.${kind}`),
    /** A newer server may know more of them. */
    type: (name: string): string => {
      const known = knownTypes.find((one) => one === name);
      return known === undefined ? name : t(`activityLog.types.${known}`);
    },
    user({ user, user_name: name, user_email: email }: ActivityEntry): string {
      if (name !== '' || email !== '') return name || email;
      return user === null ? t('activityLog.nobody') : t('activityLog.oneUser');
    },
  };
}
