/** The user's own notification settings, whichever page shows them. */
import { type NotificationSettings } from '@nazar/contract/notifications.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { PushCard } from '#parts/push/push-card.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { CameraChoice } from './camera-choice.tsx';
import { Channels } from './channels.tsx';
import { Events } from './events.tsx';
import { MutedPeople } from './muted-people.tsx';
import { QuietHours } from './quiet-hours.tsx';
import { settingsQuery, useSettingsForm } from './use-settings-form.ts';

const NOTICE_MS = 3000;

export function OwnSettings() {
  const { t } = useTranslation();
  const query = useQuery(settingsQuery());
  return (
    <QueryView
      query={query}
      failedTitle={t('notificationSettings.failed')}
      skeleton={<Skeleton className="h-96 max-w-3xl" />}
    >
      {(settings) => (
        <div className="grid max-w-3xl grid-cols-1 gap-4">
          <SettingsForm settings={settings} />
          <PushCard />
        </div>
      )}
    </QueryView>
  );
}

function SettingsForm({ settings }: { settings: NotificationSettings }) {
  const { t } = useTranslation();
  const [notice, setNotice] = useNotice();
  const { form, saved, refused, isChanged, submit, confirmed } = useSettingsForm(settings, () =>
    setNotice(t('notificationSettings.saved')),
  );
  const isSaving = form.formState.isSubmitting;
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={(event) => void submit(event)}>
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
      <p className="text-ui text-muted">{t('notificationSettings.text')}</p>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <Channels form={form} saved={saved} onConfirmed={confirmed} />
      <Events form={form} />
      <CameraChoice form={form} />
      <MutedPeople form={form} />
      <QuietHours form={form} />
      <Button
        type="submit"
        busy={isSaving}
        // Not disabled: who saved keeps the focus.
        aria-disabled={!isChanged || isSaving || undefined}
        className="justify-self-start"
      >
        {isSaving ? t('settings.saving') : t('settings.save')}
      </Button>
    </form>
  );
}
