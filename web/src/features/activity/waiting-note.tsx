import { syncEntries, waitingEntries } from '#api/offline-entries.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';

/** Entries made here that the server does not have yet. */
export function WaitingNote() {
  const { t } = useTranslation();
  const { id } = useUser();
  const count = useSignal(waitingEntries);
  if (count === 0) return null;
  return (
    <Banner
      tone="info"
      action={
        <Button look="link" onClick={() => void syncEntries(id)}>
          {t('activityLog.sendNow')}
        </Button>
      }
    >
      {t('activityLog.waiting', { count })}
    </Banner>
  );
}
