import type { ListedUser } from '@nazar/contract/users.ts';
import { CircleSlash, Mail } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { Badge } from '#ui/badge.tsx';

/** Whether a user can sign in, in a word. */
export function StateBadge({ user }: { user: ListedUser }) {
  const { t } = useTranslation();
  if (!user.is_active) {
    return (
      <Badge tone="neutral" icon={<CircleSlash aria-hidden />}>
        {t('users.disabled')}
      </Badge>
    );
  }
  if (!user.has_password) {
    return (
      <Badge tone="info" icon={<Mail aria-hidden />}>
        {t('users.invited')}
      </Badge>
    );
  }
  return <Badge tone="success">{t('users.active')}</Badge>;
}

/** A staff account sees as an administrator does: that is said beside its role. */
export function useRoleWords(): (user: Pick<ListedUser, 'role' | 'is_staff'>) => string {
  const { t } = useTranslation();
  return ({ role, is_staff }) => {
    const name = t(`users.roles.${role}`);
    const isExtra = is_staff && (role === 'user' || role === 'operator');
    return isExtra ? t('users.withStaff', { role: name }) : name;
  };
}
