import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { AsOfBanner } from '#parts/as-of-banner.tsx';

/** The list could not be loaded; what is shown is from `at`. */
export function StaleBanner({ at, query }: { at: number; query: UseQueryResult }) {
  const { t } = useTranslation();
  return (
    <AsOfBanner
      failed={t('cameras.loadFailed')}
      at={at}
      asOf={(time) => t('cameras.asOf', { time })}
      query={query}
    />
  );
}
