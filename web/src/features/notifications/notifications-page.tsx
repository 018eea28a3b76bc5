/**
 * What the user is informed of, and what they wish to hear of. The open tab, the filter and the page stand in the
 * address.
 */
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from '#lib/i18n.ts';
import { NotificationSettings } from '#parts/notification-settings/notification-settings.tsx';
import { Page } from '#parts/page.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { useWasOpened } from '#ui/use-was-opened.ts';
import { NotificationListTab } from './notification-list-tab.tsx';
import type { NotificationsSearch } from './search.ts';

const route = getRouteApi('/shell/notifications');

export function NotificationsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (next: NotificationsSearch, replace = false): void =>
    void navigate({ search: next, replace, resetScroll: false });
  // What was typed there stays while the list is looked through.
  const wasInSettings = useWasOpened(search.tab === 'settings');
  return (
    <Page title={t('notifications.title')} subtitle={t('notifications.subtitle')}>
      <div className="min-w-0">
        <Tabs
          label={t('notifications.title')}
          value={search.tab ?? 'list'}
          onChange={(next) => show(next === 'settings' ? { tab: next } : {})}
          tabs={[
            {
              value: 'list',
              label: t('notifications.list'),
              content: <NotificationListTab search={search} onShow={show} />,
            },
            {
              value: 'settings',
              label: t('notifications.settings'),
              isKept: true,
              content: wasInSettings && <NotificationSettings />,
            },
          ]}
        />
      </div>
    </Page>
  );
}
