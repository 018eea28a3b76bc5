import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';

/** The list could not be loaded; what is shown is from `at`. */
export function StaleBanner({ at, query }: { at: number; query: UseQueryResult }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  return (
    <Banner
      tone="error"
      action={
        <Button
          look="link"
          className="text-current underline"
          busy={query.isFetching}
          onClick={() => void query.refetch()}
        >
          {t('ui.retry')}
        </Button>
      }
    >
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {t('cameras.loadFailed')}
        <Badge tone="warning">{t('cameras.asOf', { time: formatTime(at) })}</Badge>
      </span>
    </Banner>
  );
}
