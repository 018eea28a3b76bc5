/** What is shown before the session is known (NAV-021), when nobody can say, and when a page breaks. */
import { RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { startSession } from '#api/session.ts';
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

/** A server that restarts is back within seconds. */
const ASK_AGAIN_MS = 3000;

export function Unreachable() {
  const { t } = useTranslation();
  useEffect(() => {
    const timer = setTimeout(() => void startSession(), ASK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-2 p-6 text-center">
      <Logo size={48} />
      <h1 className="mt-3 text-title font-semibold">{t('start.unreachable')}</h1>
      <p className="max-w-md text-ui text-muted">{t('start.unreachableText')}</p>
      <Button className="mt-3" onClick={() => void startSession()}>
        <RefreshCw aria-hidden />
        {t('ui.retry')}
      </Button>
    </main>
  );
}

export function PageBroken({ reset }: { reset: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className="grid place-items-center gap-2 px-4 py-16 text-center">
      <h1 className="text-section font-semibold">{t('error.page')}</h1>
      <p className="max-w-md text-ui text-muted">{t('error.pageText')}</p>
      <Button look="secondary" className="mt-3" onClick={reset}>
        {t('ui.retry')}
      </Button>
    </div>
  );
}
