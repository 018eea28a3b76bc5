import type { User } from '@nazar/contract/accounts.ts';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { maySeeAs } from '#api/rights.ts';
import { beginSeeAs, useUser } from '#api/session.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';

export interface SeeAsButtonProps {
  user: User & { is_active: boolean };
}

/** Nothing where the server would refuse. */
export function SeeAsButton({ user }: SeeAsButtonProps) {
  const { t } = useTranslation();
  const me = useUser();
  const [failed, setFailed] = useState<unknown>(null);
  if (!maySeeAs(me, user) || !user.is_active) return null;
  return (
    <>
      <Button
        look="secondary"
        onClick={() => void beginSeeAs(user.id).catch((error: unknown) => setFailed(error))}
      >
        <Eye aria-hidden />
        {t('access.seeAs')}
      </Button>
      {failed !== null && <Banner tone="error">{problemSentence(failed)}</Banner>}
    </>
  );
}
