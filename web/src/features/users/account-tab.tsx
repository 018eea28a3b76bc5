import type { Role } from '@nazar/contract/accounts.ts';
import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { standing } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useFormat } from '#lib/format.ts';
import { SeeAsButton } from '#parts/see-as-button.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Facts } from '#ui/data-list.tsx';
import { Field } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';
import { Switch } from '#ui/switch.tsx';
import type { AccountTabProps } from './account-tab-props.ts';
import { fullName, mayAdminister, rolesToGive, useChangeUser } from './queries.ts';
import { StateBadge, useRoleWords } from './user-badges.tsx';
import { UserActions } from './user-actions.tsx';

export function AccountTab({ user, onClose, onDone }: AccountTabProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const me = useUser();
  const roleWords = useRoleWords();
  const last = user.last_login_at;
  return (
    <div className="grid gap-6">
      <Facts
        facts={[
          { name: t('users.role'), value: roleWords(user) },
          { name: t('users.state'), value: <StateBadge user={user} /> },
          {
            name: t('users.twoFactor'),
            value: user.two_factor ? t('users.on') : t('users.off'),
          },
          { name: t('users.since'), value: formatTime(user.joinDate) },
          {
            name: t('users.lastLogin'),
            value: last === null ? t('users.never') : formatTime(last),
          },
        ]}
      />
      <div className="flex flex-wrap gap-2">
        <Link to="/settings/access" search={{ user: user.id }} className={buttonClass('secondary')}>
          <KeyRound aria-hidden />
          {t('users.showAccess')}
        </Link>
        <SeeAsButton user={user} />
      </div>
      {mayAdminister(me, user) ? (
        <>
          <RoleForm user={user} onDone={onDone} />
          <UserActions user={user} onClose={onClose} onDone={onDone} />
        </>
      ) : (
        <p className="text-ui text-muted">
          {me.id === user.id ? t('users.yourself') : t('users.notYours')}
        </p>
      )}
    </div>
  );
}

const privileged: readonly Role[] = ['admin', 'superadmin'];

function RoleForm({ user, onDone }: Pick<AccountTabProps, 'user' | 'onDone'>) {
  const { t } = useTranslation();
  const me = useUser();
  const change = useChangeUser(user.id);
  const [role, setRole] = useState<Role>(user.role);
  const name = fullName(user);
  const isRaised = privileged.includes(role) && !privileged.includes(user.role);
  const mayMakeStaff = standing(me) === 'superadmin' && !privileged.includes(user.role);
  const save = (body: { role?: Role; is_staff?: boolean }): void =>
    change.mutate(body, { onSuccess: () => onDone(t('users.roleChanged', { name })) });
  return (
    <section className="grid gap-3">
      {change.isError && <Banner tone="error">{problemSentence(change.error)}</Banner>}
      <Field
        label={t('users.role')}
        hint={isRaised ? t('users.raisedHint') : t(`users.roleHints.${role}`)}
      >
        {(attributes) => (
          <span className="flex gap-2">
            <Select
              className="min-w-0 flex-1 sm:max-w-64"
              value={role}
              onChange={({ target }) => setRole(target.value as Role)}
              options={rolesToGive(me).map((value) => ({
                value,
                label: t(`users.roles.${value}`),
              }))}
              {...attributes}
            />
            <Button
              disabled={role === user.role}
              busy={change.isPending}
              onClick={() => save({ role })}
            >
              {t('users.changeRole')}
            </Button>
          </span>
        )}
      </Field>
      {mayMakeStaff && (
        <Switch
          label={t('users.staff')}
          hint={t('users.staffHint')}
          checked={user.is_staff}
          disabled={change.isPending}
          onChange={({ target }) => save({ is_staff: target.checked })}
        />
      )}
    </section>
  );
}
