import { signOnRoutes } from '@nazar/contract/sign-on.ts';
import type { TwoFactorRequired } from '@nazar/contract/accounts.ts';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { completeSignOn } from '#api/session.ts';
import { leave } from '#lib/leave.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Spinner } from '#ui/spinner.tsx';

/** The way to the provider elsewhere, under the form for those who have a password here. */
export function SignOnButton({ name, remember }: { name: string; remember: () => boolean }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);

  const begin = async (): Promise<void> => {
    setBusy(true);
    setRefused(null);
    try {
      leave.to((await call(signOnRoutes.begin, { body: { remember: remember() } })).url);
    } catch (error) {
      setRefused(problemSentence(error));
      setBusy(false);
    }
  };

  return (
    <div className="mt-6 grid gap-4">
      <p className="flex items-center gap-3 text-small text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('signOn.or')}
      </p>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <Button
        look="secondary"
        size="large"
        className="w-full"
        busy={busy}
        onClick={() => void begin()}
      >
        {t('signOn.button', { name })}
      </Button>
    </div>
  );
}

export interface SignOnReturnProps {
  onSecondStep: (required: TwoFactorRequired) => void;
  onRefused: (sentence: string) => void;
}

/** A user came back from the provider, proven: their browser fetches its session, once. */
export function SignOnReturn({ onSecondStep, onRefused }: SignOnReturnProps) {
  const { t } = useTranslation();
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const finish = async (): Promise<void> => {
      const required = await completeSignOn();
      if (required) onSecondStep(required);
    };
    finish().catch((error: unknown) => onRefused(problemSentence(error)));
  }, [onSecondStep, onRefused]);
  return (
    <output className="flex items-center justify-center gap-3 py-6 text-ui text-muted">
      <Spinner />
      {t('signOn.working')}
    </output>
  );
}
