import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { passkeyObstacle } from '#api/passkeys.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { signInWithPasskey } from '#api/session.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';

/** In place of e-mail and password; nothing where passkeys cannot work. */
export function PasskeyButton({ remember }: { remember: () => boolean }) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  if (passkeyObstacle() !== null) return null;

  const show = async (): Promise<void> => {
    setRefused(null);
    setBusy(true);
    try {
      if (!(await signInWithPasskey(remember()))) setRefused(t('passkeys.cancelled'));
    } catch (error) {
      setRefused(error instanceof Problem ? problemSentence(error) : t('passkeys.failed'));
    }
    setBusy(false);
  };

  return (
    <div className="mt-3 grid gap-3">
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <Button
        look="secondary"
        size="large"
        busy={busy}
        className="w-full"
        onClick={() => void show()}
      >
        <KeyRound aria-hidden />
        {t('login.passkey')}
      </Button>
    </div>
  );
}
