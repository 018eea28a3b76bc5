/**
 * Warns shortly before a session ends for lack of activity. Asks the server how long the session
 * still lasts; while the reader is present, that request itself counts as activity.
 */
import { ownSecurityRoutes } from '@nazar/contract/own-security.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { ask } from '#api/query.ts';
import { useNow } from '#lib/use-now.ts';
import { Actions } from '#ui/actions.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';

const ASK_EVERY_MS = 50_000;
const WARN_S = 60;

export function IdleWarning() {
  const { t } = useTranslation();
  const { data, dataUpdatedAt, refetch } = useQuery({
    ...ask('account', ownSecurityRoutes.security, {}),
    refetchInterval: ASK_EVERY_MS,
    refetchIntervalInBackground: true,
  });
  const now = useNow(data !== undefined);
  const leftS =
    data === undefined
      ? Infinity
      : Math.ceil((dataUpdatedAt + data.session_ends_in_s * 1000 - now) / 1000);
  const isOver = leftS <= 0;
  useEffect(() => {
    // The answer is 401 by then and leads to the sign-in; or the reader was active in another tab.
    if (isOver) void refetch();
  }, [isOver, refetch]);
  const stay = (): void => void refetch();
  return (
    <Dialog
      open={leftS <= WARN_S && !isOver}
      onClose={stay}
      title={t('idle.title')}
      description={t('idle.text', { count: Math.max(0, leftS) })}
      width="small"
    >
      <Actions>
        <Button onClick={stay}>{t('idle.stay')}</Button>
      </Actions>
    </Dialog>
  );
}
