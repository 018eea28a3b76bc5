/** Daily Face Recognition: the figures of each day as bars, lines, a donut or a table. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { Segmented } from '#ui/segmented.tsx';
import { DailyTable } from './daily-table.tsx';
import { DaysChart } from './days-chart.tsx';
import { KindsDonut } from './kinds-donut.tsx';
import { Nothing, PanelCard } from './panel-card.tsx';
import { leadTo } from './figures.ts';
import type { PanelProps } from './panel-context.ts';
import { PanelView } from './panel-view.tsx';
import { dailyForms } from './panels.ts';
import { groupedQuery } from './queries.ts';
import { useEmptyText } from './use-empty-text.ts';

export function Daily(props: PanelProps) {
  const { t } = useTranslation();
  const { form = 'bar' } = props.asked.search;
  return (
    <PanelCard panel="daily" title={t('panels.names.daily')}>
      <div className="mb-3">
        <Segmented
          label={t('panels.form')}
          value={form}
          onChange={(next) => props.onChange({ form: next === 'bar' ? undefined : next })}
          options={dailyForms.map((value) => ({ value, label: t(`panels.forms.${value}`) }))}
        />
      </div>
      {form === 'table' ? <DailyTable {...props} /> : <DailyChart {...props} form={form} />}
    </PanelCard>
  );
}

function DailyChart({ asked, onChange, form }: PanelProps & { form: 'bar' | 'line' | 'donut' }) {
  const { t } = useTranslation();
  const query = useQuery(groupedQuery('daily', asked, 'day'));
  const empty = useEmptyText(asked);
  return (
    <PanelView panel="daily" query={query}>
      {(counts) => {
        if (counts.total === 0) return <Nothing title={empty} />;
        const label = t('panels.names.daily');
        if (form === 'donut') {
          const open = (known: 'yes' | 'no'): void =>
            onChange(leadTo('daily', 'result', { known }));
          return <KindsDonut label={label} counts={counts} onOpen={open} />;
        }
        return (
          <DaysChart
            panel="daily"
            label={label}
            form={form === 'bar' ? 'bars' : 'lines'}
            counts={counts}
            onChange={onChange}
          />
        );
      }}
    </PanelView>
  );
}
