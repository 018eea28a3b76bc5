import { useLocation, useNavigate } from '@tanstack/react-router';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';

/** Says why the Dashboard is shown to a reader who opened an address without a page, until it is closed. */
export function UnknownAddress() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const address = useLocation({ select: ({ state }) => state.unknownAddress });
  if (address === undefined) return null;
  return (
    <Banner tone="info" onClose={() => void navigate({ to: '/', replace: true, state: {} })}>
      <span className="break-all">{t('dashboard.unknownAddress', { address })}</span>
    </Banner>
  );
}
