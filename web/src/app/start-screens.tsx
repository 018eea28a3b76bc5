/** What is shown before the session is known, and when the server doesn't answer. */
import { RefreshCw } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Problem } from '#api/problem.ts';
import { signOut, startSession, type Session } from '#api/session.ts';
import { accessToken } from '#api/tokens.ts';
import { backOffMs } from '#lib/back-off.ts';
import { Logo } from '#parts/logo.tsx';
import { Button } from '#ui/button.tsx';
import { Waiting } from '#ui/spinner.tsx';

export function Checking() {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center">
      <Logo size={48} />
      <Waiting />
    </main>
  );
}

type Unanswered = Extract<Session, { kind: 'unreachable' }>;

/** A server that restarts is back within seconds. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;

/** Tries again with growing pauses, when the network comes back, and when `again` is called. */
function useTryAgain(unanswered: Unanswered): { again: () => void; busy: boolean } {
  const [tried, setTried] = useState<Unanswered | null>(null);
  const busy = tried === unanswered;
  const again = useCallback(() => {
    setTried(unanswered);
    void startSession();
  }, [unanswered]);
  useEffect(() => {
    if (busy) return undefined;
    const waitMs = backOffMs(unanswered.tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, Math.random());
    const timer = setTimeout(again, waitMs);
    addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', again);
    };
  }, [unanswered, busy, again]);
  return { again, busy };
}

/** What a proxy says of a server that it cannot reach is no more than silence. */
const isSilence = (cause: unknown): boolean =>
  cause instanceof Problem && (cause.status === 0 || [502, 503, 504].includes(cause.status));

export function Unreachable({ unanswered }: { unanswered: Unanswered }) {
  const { t } = useTranslation();
  const { again, busy } = useTryAgain(unanswered);
  const { cause } = unanswered;
  const silence = isSilence(cause);
  const said = cause instanceof Problem ? cause.detail : '';
  const signedIn = accessToken() !== null;
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-2 p-6 text-center">
      <Logo size={48} />
      <h1 className="mt-3 text-title font-semibold">
        {silence ? t('start.unreachable') : t('start.failed')}
      </h1>
      <p className="max-w-md text-ui text-balance text-muted">
        {silence ? t('start.unreachableText') : said || t('start.failedText')}
      </p>
      <p className="max-w-md text-ui text-balance text-muted">
        {signedIn ? t('start.againSignedIn') : t('start.again')}
      </p>
      <Button className="mt-3" busy={busy} onClick={again}>
        {!busy && <RefreshCw aria-hidden />}
        {t('ui.retry')}
      </Button>
      {signedIn && (
        <Button look="link" onClick={() => void signOut()}>
          {t('nav.logout')}
        </Button>
      )}
    </main>
  );
}
