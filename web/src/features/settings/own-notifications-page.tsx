/** The section of the settings that is everyone's: what the user wishes to hear of. */
import { useTranslation } from '#lib/i18n.ts';
import { NotificationSettings } from '#parts/notification-settings/notification-settings.tsx';
import { Page } from '#parts/page.tsx';
import { SettingsNav } from '#parts/settings-nav.tsx';

export function OwnNotificationsPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('notifications.title')} subtitle={t('notificationSettings.subtitle')}>
      <SettingsNav />
      <NotificationSettings />
    </Page>
  );
}
