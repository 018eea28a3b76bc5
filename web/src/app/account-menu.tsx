import { Link } from '@tanstack/react-router';
import {
  Bell,
  EyeOff,
  KeyRound,
  LogOut,
  ScanFace,
  Settings,
  ShieldCheck,
  Trash2,
  UserRound,
  Users,
} from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { isAdministrator, settingsOf } from '#api/rights.ts';
import { DEFAULT_AVATAR_COLOR, signOut, usePreferences, useUser } from '#api/session.ts';
import { initials } from '#lib/initials.ts';
import { DeleteAccountDialog } from '#parts/delete-account.tsx';
import { Avatar } from '#ui/avatar.tsx';
import { Badge } from '#ui/badge.tsx';
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '#ui/menu.tsx';

/** Who is signed in, and the way to what is theirs. */
export function AccountMenu() {
  const { t } = useTranslation();
  const user = useUser();
  const [deletes, setDeletes] = useState(false);
  const color = usePreferences().avatar_color ?? DEFAULT_AVATAR_COLOR;
  const letters = initials(user.first_name, user.last_name);
  const name = `${user.first_name} ${user.last_name}`.trim();
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            aria-label={t('header.account')}
            className="ml-1 grid place-items-center rounded-full touch:size-11"
          >
            <Avatar initials={letters} color={color} size="small" />
          </button>
        }
      >
        <MenuLabel>
          <span className="flex items-center gap-3">
            <Avatar initials={letters} color={color} />
            <span className="grid min-w-0">
              {name !== '' && <span className="truncate font-semibold">{name}</span>}
              <span className="truncate text-meta text-muted">{user.email}</span>
            </span>
          </span>
          <span className="mt-2 block">
            <Badge tone={isAdministrator(user) ? 'recognized' : 'neutral'}>
              {isAdministrator(user) ? t('header.administrator') : t('header.user')}
            </Badge>
          </span>
        </MenuLabel>
        <MenuSeparator />
        <MenuLink>
          <Link to="/profile">
            <UserRound aria-hidden />
            {t('profile.title')}
          </Link>
        </MenuLink>
        <MenuLink>
          <Link to="/notifications">
            <Bell aria-hidden />
            {t('notifications.title')}
          </Link>
        </MenuLink>
        <MenuLink>
          <Link to="/security">
            <ShieldCheck aria-hidden />
            {t('security.title')}
          </Link>
        </MenuLink>
        <MenuLink>
          <Link to={settingsOf(user)}>
            <Settings aria-hidden />
            {t('settings.title')}
          </Link>
        </MenuLink>
        {isAdministrator(user) && <AdministratorLinks />}
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => setDeletes(true)}>
          {t('deleteAccount.action')}
        </MenuItem>
        <MenuItem icon={<LogOut aria-hidden />} onSelect={() => void signOut()}>
          {t('nav.logout')}
        </MenuItem>
      </Menu>
      <DeleteAccountDialog open={deletes} onClose={() => setDeletes(false)} />
    </>
  );
}

/** The sections of the settings that are for administrators alone. */
function AdministratorLinks() {
  const { t } = useTranslation();
  return (
    <>
      <MenuLink>
        <Link to="/settings/users">
          <Users aria-hidden />
          {t('users.title')}
        </Link>
      </MenuLink>
      <MenuLink>
        <Link to="/settings/access">
          <KeyRound aria-hidden />
          {t('access.title')}
        </Link>
      </MenuLink>
      <MenuLink>
        <Link to="/settings/recognition">
          <ScanFace aria-hidden />
          {t('recognition.title')}
        </Link>
      </MenuLink>
      <MenuLink>
        <Link to="/settings/privacy">
          <EyeOff aria-hidden />
          {t('privacy.title')}
        </Link>
      </MenuLink>
    </>
  );
}
