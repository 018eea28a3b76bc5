import { Link2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import type { Transport } from '#parts/player/recorded/transport.ts';
import { Button } from '#ui/button.tsx';

export interface MomentLinkProps {
  playback: Transport;
  /** Writes the moment into the address, and returns that address. */
  onLink: (momentMs: number) => string;
}

type Said = 'copied' | 'inAddress';

/** Long enough to be read. */
const saidMs = 4000;

/** The moment that is shown as an address to hand on: in the clipboard, or in the address bar where there is none. */
export function MomentLink({ playback, onLink }: MomentLinkProps) {
  const { t } = useTranslation();
  const [said, setSaid] = useState<Said | null>(null);
  useEffect(() => {
    if (said === null) return undefined;
    const timer = setTimeout(() => setSaid(null), saidMs);
    return () => clearTimeout(timer);
  }, [said]);
  const link = async (): Promise<void> => {
    const momentMs = playback.momentMs.get();
    if (momentMs === null) return;
    const to = onLink(momentMs);
    try {
      await navigator.clipboard.writeText(to);
      setSaid('copied');
    } catch {
      setSaid('inAddress');
    }
  };
  return (
    <p className="flex flex-wrap items-center gap-x-3">
      <Button look="link" onClick={() => void link()}>
        <Link2 aria-hidden />
        {t('recordings.link')}
      </Button>
      <output className="text-meta text-muted">
        {said !== null && t(`recordings.linked.${said}`)}
      </output>
    </p>
  );
}
