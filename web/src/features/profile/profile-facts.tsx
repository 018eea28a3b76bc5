import type { User } from '@nazar/contract/accounts.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { Facts } from '#ui/data-list.tsx';

export function ProfileFacts({ user }: { user: User }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const said = (text: string | null) =>
    text === null || text === '' ? (
      <span className="text-muted">{t('profile.notSaid')}</span>
    ) : (
      <span className="break-words whitespace-pre-line">{text}</span>
    );
  return (
    <Facts
      facts={[
        { name: t('person.firstName'), value: said(user.first_name) },
        { name: t('person.lastName'), value: said(user.last_name) },
        { name: t('login.email'), value: said(user.email) },
        { name: t('profile.role'), value: t(`profile.roleOf.${user.role}`) },
        { name: t('person.phone'), value: said(user.phone) },
        { name: t('profile.department'), value: said(user.department) },
        { name: t('person.position'), value: said(user.position) },
        { name: t('profile.address'), value: said(user.address) },
        { name: t('profile.birthdate'), value: said(user.birthdate) },
        { name: t('profile.joined'), value: formatTime(user.joinDate) },
        { name: t('profile.bio'), value: said(user.bio) },
      ]}
    />
  );
}
