import { twoFactorRoutes } from '@nazar/contract/two-factor.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { ask } from '#api/query.ts';
import { Badge } from '#ui/badge.tsx';
import { buttonClass } from '#ui/button.tsx';

/** Until the server has said which, there is no badge. */
export function TwoFactorLink() {
  const { t } = useTranslation();
  const { data } = useQuery(ask('account', twoFactorRoutes.state, {}));
  return (
    <Link to="/security" className={buttonClass('secondary')}>
      <ShieldCheck aria-hidden />
      {t('profile.twoFactor')}{' '}
      {data && (
        <Badge tone={data.is_on ? 'success' : 'neutral'}>
          {data.is_on ? t('twoFactor.on') : t('twoFactor.off')}
        </Badge>
      )}
    </Link>
  );
}
