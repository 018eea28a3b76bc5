import { activityRoutes } from '@nazar/contract/activity.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { Card } from '#ui/card.tsx';
import { Facts } from '#ui/data-list.tsx';
import { sizeOfCache } from './last-entries.ts';
import { isFiltered, type ActivitySearch } from './search.ts';
import type { AskedOnce } from './use-entries.ts';

export interface DebugPanelProps {
  search: ActivitySearch;
  asked: readonly AskedOnce[];
  isFromCache: boolean;
}

export function DebugPanel({ search, asked, isFromCache }: DebugPanelProps) {
  const { t } = useTranslation();
  const { formatTime, formatNumber } = useFormat();
  const filters = isFiltered(search) ? JSON.stringify(search) : '–';
  return (
    <Card title={t('activityLog.debug')}>
      <Facts
        facts={[
          {
            name: t('activityLog.debugSource'),
            value: isFromCache ? t('activityLog.debugCache') : t('activityLog.debugServer'),
          },
          {
            name: t('activityLog.debugCacheSize'),
            value: t('activityLog.characters', { size: formatNumber(sizeOfCache()) }),
          },
          {
            name: t('activityLog.debugFilters'),
            value: <code className="text-meta [overflow-wrap:anywhere]">{filters}</code>,
          },
        ]}
      />
      <h3 className="mt-4 mb-2 text-ui font-semibold">{t('activityLog.debugRequests')}</h3>
      {asked.length === 0 ? (
        <p className="text-ui text-muted">{t('activityLog.debugNone')}</p>
      ) : (
        <ol className="grid gap-1 text-meta">
          {asked.map(({ at, params, status, tookMs }, index) => (
            <li key={`${at}-${index}`} className="[overflow-wrap:anywhere]">
              <span className="figures text-muted">
                {formatTime(at, { timeStyle: 'medium' })} · {status} ·{' '}
                {formatNumber(tookMs, { style: 'unit', unit: 'millisecond' })}
              </span>{' '}
              <code>{`GET ${activityRoutes.list.path}?${params}`}</code>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
