import { onlineManager, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { systemRoutes } from '@nazar/contract/system.ts';
import { call } from '#api/call.ts';
import { lastAnsweredMs, reachable } from '#api/connection.ts';
import { useFormat } from '#lib/format.ts';
import { useSignal } from '#lib/signal.ts';
import { Button } from '#ui/button.tsx';

/** An interruption of the network shorter than this is not shown. */
const GRACE_MS = 1000;
const ASK_AGAIN_MS = 3000;

/** As of when what is shown is, once that is worth saying; null while it is of now. */
function useLostSince(): number | null {
  const client = useQueryClient();
  const up = useSignal(reachable);
  const [lostSince, setLostSince] = useState<number | null>(null);
  useEffect(() => {
    if (up) return undefined;
    const since = lastAnsweredMs();
    const grace = setTimeout(() => setLostSince(since), GRACE_MS);
    const again = setInterval(
      () => void call(systemRoutes.alive, {}).catch(() => undefined),
      ASK_AGAIN_MS,
    );
    return () => {
      clearTimeout(grace);
      clearInterval(again);
      // It is of then until all of it was asked for again.
      void client.invalidateQueries().then(() => reachable.get() && setLostSince(null));
    };
  }, [client, up]);
  return lostSince;
}

/** Says that what is on the screen is old, and since when; asks by itself until it is not. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const client = useQueryClient();
  const fetching = useIsFetching() > 0;
  const lostSince = useLostSince();
  useEffect(() => onlineManager.subscribe((online) => !online && reachable.set(false)), []);
  if (lostSince === null) return null;
  return (
    <output className="fixed inset-x-0 bottom-0 z-30 flex flex-wrap items-center justify-center gap-x-3 gap-y-1 border-t border-unrecognized/50 bg-unrecognized-soft px-4 py-2 text-ui font-medium text-unrecognized-text">
      <WifiOff aria-hidden className="size-4 shrink-0" />
      <span>{t('connection.lost', { time: formatTime(lostSince, { timeStyle: 'medium' }) })}</span>
      <Button
        look="link"
        className="text-unrecognized-text underline"
        busy={fetching}
        onClick={() => void client.refetchQueries()}
      >
        {t('ui.retry')}
      </Button>
    </output>
  );
}
