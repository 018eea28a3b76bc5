import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { isAdministrator, mayChangeWebhooks, mayReadSecuritySettings } from '#api/rights.ts';
import { useUser } from '#api/session.ts';

const look =
  'grid min-h-9 place-items-center rounded-md px-3 text-ui font-medium whitespace-nowrap text-muted hover:text-fg focus-visible:-outline-offset-2 data-[status=active]:bg-surface-2 data-[status=active]:text-fg touch:min-h-11';

/** The sections of the settings that the reader may open; their own notifications are everyone's. */
export function SettingsNav() {
  const { t } = useTranslation();
  const me = useUser();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // Where the row is longer than the screen the open one may lie beyond it.
    const open = list.current?.querySelector('[aria-current=page]');
    open?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  const sections = [
    ...(mayReadSecuritySettings(me)
      ? [{ to: '/settings', label: t('settings.security') } as const]
      : []),
    { to: '/settings/notifications', label: t('notifications.title') } as const,
    ...(isAdministrator(me)
      ? ([
          { to: '/settings/users', label: t('users.title') },
          { to: '/settings/access', label: t('access.title') },
          { to: '/settings/recognition', label: t('recognition.title') },
          { to: '/settings/privacy', label: t('privacy.title') },
        ] as const)
      : []),
    ...(mayChangeWebhooks(me)
      ? [{ to: '/settings/webhooks', label: t('webhooks.title') } as const]
      : []),
    ...(mayReadSecuritySettings(me)
      ? [{ to: '/settings/mqtt', label: t('mqtt.title') } as const]
      : []),
  ];
  return (
    <nav aria-label={t('settings.title')} className="min-w-0">
      {/* A row too long for a phone scrolls by itself, and not the page. */}
      <ul ref={list} className="flex gap-1 overflow-x-auto">
        {sections.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className={look} activeOptions={{ exact: true, includeSearch: false }}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
